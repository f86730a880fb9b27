import { Unreadable } from './error.ts'
/** Decimal places of the SDK's `LegacyDec`. */
export const DECIMAL_PLACES = 18
export const DECIMAL_ONE = 10n ** 18n

/** `1500000000000000000` (as Dec fields travel in protobuf) → `1.500000000000000000`. Empty text is zero. */
export function decimalFromAtomics(atomics: string): string {
  const negative = atomics.startsWith('-')
  const digits = (negative ? atomics.slice(1) : atomics).padStart(DECIMAL_PLACES + 1, '0')
  const whole = digits.slice(0, -DECIMAL_PLACES)
  return `${negative ? '-' : ''}${whole}.${digits.slice(-DECIMAL_PLACES)}`
}

/** `1.5` → `1500000000000000000`. Throws Unreadable on anything but a decimal of at most 18 places. */
export function atomicsFromDecimal(text: string): string {
  const match = /^(-?)(0|[1-9][0-9]{0,77})(?:\.([0-9]{1,18}))?$/.exec(text)
  if (match === null)
    throw new Unreadable(`${JSON.stringify(text.slice(0, 100))} is not a decimal of at most 18 places`)
  const atomics = BigInt(match[2]! + (match[3] ?? '').padEnd(DECIMAL_PLACES, '0'))
  return (match[1] === '-' ? -atomics : atomics).toString()
}

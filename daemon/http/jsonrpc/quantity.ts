import { hexDigits, Malformed } from './hex.ts'

/** A number as Ethereum's JSON-RPC writes it: hexadecimal behind 0x, without leading zeros. Throws a RangeError below 0. */
export function encodeQuantity(value: bigint | number): string {
  if (value < 0) throw new RangeError(`${value} is negative`)
  return `0x${BigInt(value).toString(16)}`
}

/** Reads a number of so many bits at most, strictly: no leading zeros, no `0x` alone. Throws Malformed. */
export function decodeQuantity(value: unknown, bits: number): bigint {
  const digits = hexDigits(value)
  if (digits === '') throw new Malformed('hex string "0x"')
  if (digits.startsWith('0') && digits.length > 1) throw new Malformed('hex number with leading zero digits')
  // Told by the length first, so that no long number is read.
  const number = digits.length > Math.ceil(bits / 4) ? undefined : BigInt(`0x${digits}`)
  if (number === undefined || number >> BigInt(bits) !== 0n) throw new Malformed(`hex number > ${bits} bits`)
  return number
}

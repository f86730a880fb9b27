import { toLatin1, utf8 } from '../bytes.ts'
import { sdk } from '../error.ts'
import type { Seconds } from '../time.ts'
import { camelName, isMessageType, messageDescriptor } from './descriptors.ts'
import { type Any, hasWireType, nameOfUrl, unpackAny } from './registry.ts'

/** A field's value, checked and in its canonical form. */
type Read = (value: unknown, path: string) => unknown

/** Go's integers in text with a base of their own, and underscores between digits. */
const INTEGER =
  /^([+-]?)(?:0[xX]((?:_?[0-9a-fA-F])+)|0[bB]((?:_?[01])+)|0[oO]?((?:_?[0-7])+)|(0|[1-9](?:_?[0-9])*))$/
const BASES = ['0x', '0b', '0o', '']
/** More digits than the largest number has in any base. */
const MAX_DIGITS = 320
const MAX_BITS: Readonly<Record<string, bigint>> = { 'cosmos.Int': 256n, 'cosmos.Dec': 315n }

/** Reads a number as `math.Int` and `math.LegacyDec` do, into decimal digits; an empty text stays. Throws sdk/2. */
function readNumber(text: string, path: string, maxBits: bigint): string {
  if (text === '') return text
  const match = INTEGER.exec(text)
  if (match === null) throw sdk.txDecode(`${path}: not an integer`)
  const [, sign, ...inBase] = match
  const base = inBase.findIndex((digits) => digits !== undefined)
  const digits = inBase[base]!.replaceAll('_', '').replace(/^0+(?=.)/, '')
  const size = digits.length > MAX_DIGITS ? undefined : BigInt(BASES[base]! + digits)
  if (size === undefined || size >> maxBits !== 0n) throw sdk.txDecode(`${path}: out of range`)
  return (sign === '-' ? -size : size).toString()
}

const numberReader =
  (scalar: string): Read =>
  (value, path) =>
    readNumber(value as string, path, MAX_BITS[scalar]!)

/** Numbers in bytes, which hold a text's characters (`math.LegacyDec` as a custom type). */
const digitsReader =
  (scalar: string): Read =>
  (value, path) =>
    utf8(readNumber(toLatin1(value as Uint8Array), path, MAX_BITS[scalar]!))

const NANOS = 1_000_000_000n
const MAX_DURATION_SECONDS = 315_576_000_000n

/** A duration whose parts have one sign and that Go's 64 bits of nanoseconds hold. */
function readDuration(value: unknown, path: string): unknown {
  const { seconds, nanos } = value as Seconds
  const isOneSign = seconds === 0n || nanos === 0 || seconds > 0n === nanos > 0
  const isInBounds =
    abs(seconds) <= MAX_DURATION_SECONDS &&
    abs(BigInt(nanos)) < NANOS &&
    isInt64(seconds * NANOS + BigInt(nanos))
  if (!isOneSign || !isInBounds) throw sdk.txDecode(`${path}: duration out of range`)
  return value
}

const abs = (n: bigint): bigint => (n < 0n ? -n : n)
const isInt64 = (n: bigint): boolean => BigInt.asIntN(64, n) === n

// biome-ignore lint/plugin: as many as the definitions have names
const plans = new Map<string, readonly (readonly [property: string, repeated: boolean, read: Read])[]>()

/** The fields of a message that hold numbers as text, or messages that do. */
function planOf(name: string): NonNullable<ReturnType<typeof plans.get>> {
  const known = plans.get(name)
  if (known !== undefined) return known
  const plan: [string, boolean, Read][] = []
  // Before the fields are looked at: a message may hold itself.
  plans.set(name, plan)
  for (const { name: field, t, rep = false, scalar = '' } of messageDescriptor(name).fields) {
    const isNumber = scalar in MAX_BITS
    if (isNumber && t === 'string') plan.push([camelName(field), rep, numberReader(scalar)])
    else if (isNumber && t === 'bytes') plan.push([camelName(field), rep, digitsReader(scalar)])
    else if (t === 'google.protobuf.Any') plan.push([camelName(field), rep, readAny])
    else if (t === 'google.protobuf.Duration') plan.push([camelName(field), rep, readDuration])
    else if (isMessageType(t))
      plan.push([camelName(field), rep, (value, path) => readScalars(t, value, path)])
  }
  return plan
}

/** Checks an Any, whose value stays bytes: whoever unpacks it reads its numbers. */
function readAny(value: unknown, path: string): unknown {
  const any = value as Any
  if (!hasWireType(nameOfUrl(any.typeUrl)) || !any.typeUrl.startsWith('/'))
    throw sdk.txDecode(`${path}: unable to resolve type URL ${any.typeUrl.slice(0, 200)}`)
  readScalars(nameOfUrl(any.typeUrl), unpackAny(any), path)
  return any
}

/**
 * Reads the numbers in text (`cosmos.Int`, `cosmos.Dec`) and durations of a decoded message as the SDK does, and writes
 * each number into it in decimal digits; an empty text stays. Throws sdk/2 where one is none, or too large.
 */
export function readScalars(name: string, message: unknown, path = name): unknown {
  const target = message as Record<string, unknown>
  for (const [property, repeated, read] of planOf(name)) {
    const value = target[property]
    if (value === undefined) continue
    const at = `${path}.${property}`
    target[property] = repeated ? (value as unknown[]).map((item) => read(item, at)) : read(value, at)
  }
  return message
}

/** Writes the numbers that are missing in a decoded message as 0, as Go does when it encodes what it decoded. */
export function fillNumbers(name: string, message: unknown): void {
  const target = message as Record<string, unknown>
  for (const { name: field, t, rep = false, scalar = '', notNull = false } of messageDescriptor(name)
    .fields) {
    const property = camelName(field)
    const value = target[property]
    if (value === undefined) continue
    if (notNull && scalar in MAX_BITS && (value as string | Uint8Array).length === 0)
      target[property] = t === 'bytes' ? utf8('0') : '0'
    else if (isMessageType(t) && t !== 'google.protobuf.Any')
      for (const item of rep ? (value as unknown[]) : [value]) fillNumbers(t, item)
  }
}

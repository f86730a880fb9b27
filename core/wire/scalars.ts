import { toLatin1 } from '../bytes.ts'
import { sdk } from '../error.ts'
import { camelName, isMessageType, messageDescriptor } from './descriptors.ts'
import { type Any, hasWireType, nameOfUrl, unpackAny } from './registry.ts'

type Check = (value: unknown, path: string) => void

const INTEGER = /^-?[0-9]{1,96}$/
const MAX_BITS = 315n

function checkNumber(value: unknown, path: string): void {
  const text = value as string
  if (text === '') return
  if (!INTEGER.test(text)) throw sdk.txDecode(`${path}: not an integer`)
  const n = BigInt(text)
  if ((n < 0n ? -n : n) >> MAX_BITS !== 0n) throw sdk.txDecode(`${path}: out of range`)
}

/** Numbers in bytes, which hold a text's characters (`math.LegacyDec` as a custom type). */
function checkDigits(value: unknown, path: string): void {
  checkNumber(toLatin1(value as Uint8Array), path)
}

const plans = new Map<string, readonly (readonly [property: string, repeated: boolean, check: Check])[]>()

/** The fields of a message that hold numbers as text, or messages that do. */
function planOf(name: string): NonNullable<ReturnType<typeof plans.get>> {
  const known = plans.get(name)
  if (known !== undefined) return known
  const plan: [string, boolean, Check][] = []
  // Before the fields are looked at: a message may hold itself.
  plans.set(name, plan)
  for (const { name: field, t, rep = false, scalar } of messageDescriptor(name).fields) {
    const isNumber = scalar === 'cosmos.Int' || scalar === 'cosmos.Dec'
    if (isNumber && t === 'string') plan.push([camelName(field), rep, checkNumber])
    else if (isNumber && t === 'bytes') plan.push([camelName(field), rep, checkDigits])
    else if (t === 'google.protobuf.Any') plan.push([camelName(field), rep, checkAny])
    else if (isMessageType(t))
      plan.push([camelName(field), rep, (value, path) => checkScalars(t, value, path)])
  }
  return plan
}

function checkAny(value: unknown, path: string): void {
  const any = value as Any
  if (!hasWireType(nameOfUrl(any.typeUrl)))
    throw sdk.txDecode(`${path}: unable to resolve type URL ${any.typeUrl.slice(0, 200)}`)
  checkScalars(nameOfUrl(any.typeUrl), unpackAny(any), path)
}

/**
 * Refuses numbers in text (`cosmos.Int`, `cosmos.Dec`) that are none, as the SDK does when it decodes them; an empty
 * text is zero. Throws sdk/2.
 */
export function checkScalars(name: string, message: unknown, path = name): void {
  const source = message as Record<string, unknown>
  for (const [property, repeated, check] of planOf(name)) {
    const value = source[property]
    if (value === undefined) continue
    if (repeated) for (const item of value as unknown[]) check(item, `${path}.${property}`)
    else check(value, `${path}.${property}`)
  }
}

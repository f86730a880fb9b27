import { fromBase64, fromUtf8, toBase64, utf8 } from '../bytes.ts'
import { atomicsFromDecimal, decimalFromAtomics } from '../decimal-text.ts'
import { rethrowExhaustion, sdk } from '../error.ts'
import { formatDuration, formatTimestamp, parseDuration, parseTimestamp, type Seconds } from '../time.ts'
import {
  camelName,
  enumDescriptor,
  type FieldDescriptor,
  isMessageType,
  messageDescriptor,
} from './descriptors.ts'
import { type Any, create, hasWireType, nameOfUrl, packAny, unpackAny } from './registry.ts'

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

const MAX_DEPTH = 64

/**
 * The SDK's JSON of a message: snake case, 64-bit numbers as text, bytes in base64, enums by name, defaults written
 * out, `@type` in an Any.
 */
export function toJson(name: string, message: unknown): { [key: string]: Json } {
  const out: { [key: string]: Json } = {}
  const source = message as Record<string, unknown>
  for (const field of messageDescriptor(name).fields) {
    const value = source[camelName(field.name)]
    if (field.oneof !== undefined && value === undefined) continue
    if (field.rep) out[field.name] = ((value ?? []) as unknown[]).map((v) => valueToJson(field, v))
    else out[field.name] = valueToJson(field, value)
  }
  return out
}

function anyToJson(any: Any): Json {
  return { '@type': any.typeUrl, ...toJson(nameOfUrl(any.typeUrl), unpackAny(any)) }
}

function valueToJson(field: FieldDescriptor, value: unknown): Json {
  const { t } = field
  // In Go, bytes that are empty on the wire are nil.
  if (t === 'bytes' && !field.rep && (value === undefined || (value as Uint8Array).length === 0)) return null
  const isNumberInText = t === 'string' && (field.scalar === 'cosmos.Dec' || field.scalar === 'cosmos.Int')
  // One that may be missing is nil in Go, which is another thing than zero.
  if (isNumberInText && !field.rep && !field.notNull && (value ?? '') === '') return null
  if (t === 'google.protobuf.Any') return value === undefined ? null : anyToJson(value as Any)
  if (t === 'google.protobuf.Timestamp')
    return value === undefined
      ? field.notNull
        ? '0001-01-01T00:00:00Z'
        : null
      : formatTimestamp(value as Seconds)
  if (t === 'google.protobuf.Duration')
    return value === undefined ? (field.notNull ? '0s' : null) : formatDuration(value as Seconds)
  if (isMessageType(t)) {
    if (value !== undefined) return toJson(t, value)
    return field.notNull ? toJson(t, {}) : null
  }
  if (t.startsWith('enum:')) {
    const values = enumDescriptor(t.slice(5))
    for (const [name, number] of Object.entries(values)) if (number === (value ?? 0)) return name
    return Number(value)
  }
  switch (t) {
    case 'string':
      return field.scalar === 'cosmos.Dec'
        ? decimalFromAtomics((value as string) ?? '')
        : ((value as string) ?? '')
    case 'bytes':
      return field.scalar === undefined
        ? toBase64(value as Uint8Array)
        : numberText(field, value as Uint8Array)
    case 'bool':
      return (value as boolean) ?? false
    case 'int64':
    case 'uint64':
    case 'sint64':
    case 'fixed64':
    case 'sfixed64':
      return String(value ?? 0)
    default:
      return Number(value ?? 0)
  }
}

/** Bytes that hold a number's text (`math.Int`, `math.LegacyDec` as custom types). */
function numberText({ scalar }: FieldDescriptor, value: Uint8Array): string {
  const text = fromUtf8(value)
  return scalar === 'cosmos.Dec' ? decimalFromAtomics(text) : text === '' ? '0' : text
}

const refuse = (path: string, what: string): never => {
  throw sdk.jsonUnmarshal(`${path}: ${what}`)
}

/**
 * Reads the SDK's JSON of a message (field names in snake or camel case) into a complete message. Unknown fields and
 * values of the wrong form throw sdk/17, with the path.
 */
export function fromJson(name: string, json: unknown, path = name): unknown {
  return create(name, partialFromJson(name, json, path, 0))
}

function partialFromJson(name: string, json: unknown, path: string, depth: number): object {
  if (depth > MAX_DEPTH) refuse(path, 'nested too deeply')
  if (typeof json !== 'object' || json === null || Array.isArray(json)) refuse(path, 'expected an object')
  const source = json as Record<string, unknown>
  const fields = messageDescriptor(name).fields
  const partial: Record<string, unknown> = {}
  for (const key of Object.keys(source)) {
    const field = fields.find((f) => f.name === key || camelName(f.name) === key)
    if (field === undefined) return refuse(`${path}.${key.slice(0, 80)}`, 'unknown field')
    const value = source[key]
    if (value === null || value === undefined) continue
    const at = `${path}.${field.name}`
    if (field.rep) {
      if (!Array.isArray(value)) return refuse(at, 'expected a list')
      partial[camelName(field.name)] = value.map((v, i) => valueFromJson(field, v, `${at}[${i}]`, depth))
    } else partial[camelName(field.name)] = valueFromJson(field, value, at, depth)
  }
  return partial
}

/** An Any from `{"@type": "/…", …}`. */
export function anyFromJson(json: unknown, path = 'any', depth = 0): Any {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return refuse(path, 'expected an object')
  const { '@type': typeUrl, ...rest } = json as Record<string, unknown>
  if (typeof typeUrl !== 'string' || !hasWireType(nameOfUrl(typeUrl)))
    return refuse(path, `unknown @type ${JSON.stringify(typeUrl)?.slice(0, 120)}`)
  const name = nameOfUrl(typeUrl)
  return packAny(name, create(name, partialFromJson(name, rest, path, depth + 1)))
}

const RANGES: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
}

function integerFromJson(t: string, value: unknown, path: string): bigint {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string' || !/^-?[0-9]{1,20}$/.test(text))
    return refuse(path, `expected an integer (${t})`)
  const n = BigInt(text)
  const [low, high] =
    RANGES[t.replace(/^s(?=int)|^s?fixed/, (m) => (m === 'fixed' ? 'uint' : m === 's' ? '' : 'int'))] ??
    RANGES['int64']!
  if (n < low || n > high) return refuse(path, `${text} is out of range for ${t}`)
  return n
}

function attempt<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    rethrowExhaustion(error)
    return refuse(path, (error as Error).message)
  }
}

function valueFromJson(field: FieldDescriptor, value: unknown, path: string, depth: number): unknown {
  const { t } = field
  if (t === 'google.protobuf.Any') return anyFromJson(value, path, depth)
  if (t === 'google.protobuf.Timestamp' || t === 'google.protobuf.Duration') {
    if (typeof value !== 'string') return refuse(path, 'expected text')
    return attempt(path, () => (t.endsWith('Timestamp') ? parseTimestamp(value) : parseDuration(value)))
  }
  if (isMessageType(t)) return partialFromJson(t, value, path, depth + 1)
  if (t.startsWith('enum:')) {
    const values = enumDescriptor(t.slice(5))
    const number = typeof value === 'string' && Object.hasOwn(values, value) ? values[value] : value
    if (typeof number !== 'number' || !Object.values(values).includes(number))
      return refuse(path, `expected one of ${Object.keys(values).join(', ')}`)
    return number
  }
  switch (t) {
    case 'string':
      if (typeof value !== 'string') return refuse(path, 'expected text')
      return field.scalar === 'cosmos.Dec' && value !== ''
        ? attempt(path, () => atomicsFromDecimal(value))
        : value
    case 'bytes':
      if (typeof value !== 'string')
        return refuse(path, field.scalar ? 'expected text' : 'expected base64 text')
      if (field.scalar === 'cosmos.Dec') return attempt(path, () => utf8(atomicsFromDecimal(value)))
      if (field.scalar === 'cosmos.Int')
        return /^-?[0-9]{1,78}$/.test(value) ? utf8(value) : refuse(path, 'expected an integer as text')
      return attempt(path, () => fromBase64(value))
    case 'bool':
      return typeof value === 'boolean' ? value : refuse(path, 'expected true or false')
    case 'double':
    case 'float':
      return Number.isFinite(value) ? value : refuse(path, 'expected a finite number')
    default: {
      const n = integerFromJson(t, value, path)
      return t.endsWith('64') ? n : Number(n)
    }
  }
}

import { toBase64 } from '../bytes.ts'
import { decimalFromAtomics } from '../decimal-text.ts'
import { sdk } from '../error.ts'
import { formatTimestamp, nanosecondsOf, type Seconds } from '../time.ts'
import { camelName, type FieldDescriptor, isMessageType, messageDescriptor } from './descriptors.ts'
import type { Json } from './json.ts'
import { type Any, nameOfUrl, unpackAny } from './registry.ts'

/** A message in Amino's JSON, as the SDK's x/tx/signing/aminojson writes it, without the `{type, value}` around it. */
function aminoFields(name: string, message: unknown): Json {
  const descriptor = messageDescriptor(name)
  const source = message as Record<string, unknown>
  if (descriptor.aminoEncoding === 'key_field') return toBase64(source['key'] as Uint8Array)
  if (descriptor.aminoEncoding === 'threshold_string') {
    return {
      threshold: String(source['threshold'] ?? 0),
      pubkeys: (source['publicKeys'] as Any[]).map(aminoAny),
    }
  }
  const out: { [key: string]: Json } = {}
  for (const field of descriptor.fields) {
    const value = source[camelName(field.name)]
    const key = field.aminoName ?? field.name
    if (field.oneof !== undefined) throw sdk.notSupported(`oneof ${field.oneof} in Amino JSON`)
    if (field.rep) {
      const list = (value ?? []) as unknown[]
      if (list.length > 0) out[key] = list.map((v) => aminoValue(field, v))
      else if (field.aminoKeep) out[key] = field.aminoEncoding === 'legacy_coins' ? [] : null
    } else if (!isZero(field, value)) out[key] = aminoValue(field, value)
    else if (field.aminoKeep) out[key] = aminoValue(field, value ?? zeroOf(field))
  }
  return out
}

function zeroOf(field: FieldDescriptor): unknown {
  if (field.t === 'bytes') return new Uint8Array(0)
  if (field.t === 'string') return ''
  if (field.t === 'bool') return false
  if (!isMessageType(field.t)) return 0
  return {}
}

function isZero(field: FieldDescriptor, value: unknown): boolean {
  if (value === undefined) return true
  // Go holds these by value: absent and empty are the same there, and the SDK keeps neither apart.
  if (isMessageType(field.t)) return false
  if (field.t === 'bytes') return (value as Uint8Array).length === 0
  return value === '' || value === 0 || value === 0n || value === false
}

function aminoValue(field: FieldDescriptor, value: unknown): Json {
  const { t } = field
  if (t === 'google.protobuf.Any') return aminoAny(value as Any)
  if (t === 'google.protobuf.Timestamp') return formatTimestamp(value as Seconds, true)
  if (t === 'google.protobuf.Duration') return nanosecondsOf(value as Seconds).toString()
  if (isMessageType(t)) return named(t, aminoFields(t, value))
  if (field.scalar === 'cosmos.Dec') return value === '' ? '0' : decimalFromAtomics(value as string)
  if (field.scalar === 'cosmos.Int') return value === '' ? '0' : (value as string)
  if (field.aminoEncoding === 'inline_json')
    return JSON.parse(Buffer.from(value as Uint8Array).toString('utf8')) as Json
  if (t === 'bytes') return toBase64(value as Uint8Array)
  if (t.endsWith('64')) return String(value)
  return value as Json
}

function named(name: string, value: Json): Json {
  const { amino } = messageDescriptor(name)
  return amino === undefined ? value : { type: amino, value }
}

/** An Any as Amino's `{type, value}`; a type without a registered Amino name goes by its type URL. */
export function aminoAny(any: Any): Json {
  const name = nameOfUrl(any.typeUrl)
  return { type: messageDescriptor(name).amino ?? any.typeUrl, value: aminoFields(name, unpackAny(any)) }
}

/** JSON with keys sorted and Go's escapes, so that the bytes are the SDK's. */
export function canonicalJson(value: Json): string {
  const pieces: string[] = []
  writeJson(value, pieces)
  return pieces.join('')
}

/** In pieces, put together once: messages in messages would be copied once a level. */
function writeJson(value: Json, pieces: string[]): void {
  if (Array.isArray(value)) {
    pieces.push('[')
    for (const [i, item] of value.entries()) {
      if (i > 0) pieces.push(',')
      writeJson(item, pieces)
    }
    pieces.push(']')
  } else if (typeof value === 'object' && value !== null) {
    pieces.push('{')
    for (const [i, key] of Object.keys(value).sort().entries()) {
      pieces.push(i > 0 ? ',' : '', goString(key), ':')
      writeJson(value[key]!, pieces)
    }
    pieces.push('}')
  } else pieces.push(typeof value === 'string' ? goString(value) : JSON.stringify(value))
}

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}
const goString = (text: string): string =>
  JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, (c) => ESCAPES[c]!)

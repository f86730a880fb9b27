import { sdk } from '../error.ts'
import { fieldsOf, hasMessage, isMessageType } from './descriptors.ts'
import { nameOfUrl } from './registry.ts'

const WIRE_TYPES: Readonly<Record<string, number>> = {
  bool: 0,
  int32: 0,
  int64: 0,
  uint32: 0,
  uint64: 0,
  sint32: 0,
  sint64: 0,
  fixed64: 1,
  sfixed64: 1,
  double: 1,
  fixed32: 5,
  sfixed32: 5,
  float: 5,
}
const MAX_DEPTH = 100
/** Bit 11 of a field number marks it non-critical (ADR-020). */
const NON_CRITICAL = 1 << 10

/** Reads a varint of at most 10 bytes; only its low 53 bits are exact, which is all a tag or a length needs. */
function readVarint(bytes: Uint8Array, at: number): readonly [value: number, next: number] {
  let value = 0
  let scale = 1
  for (let i = 0; i < 10; i++) {
    const byte = bytes[at + i]
    if (byte === undefined) throw sdk.txDecode('unexpected end of message')
    value += (byte & 0x7f) * scale
    scale *= 128
    if (byte < 0x80) return [value, at + i + 1]
  }
  throw sdk.txDecode('varint is too long')
}

/**
 * Refuses fields that the definition of `name` does not have, in nested messages and Anys too, as the SDK's
 * `RejectUnknownFields`. With `allowNonCritical`, unknown fields of the non-critical range are let pass.
 * Throws sdk/2 `tx parse error`.
 */
export function rejectUnknownFields(
  name: string,
  bytes: Uint8Array,
  allowNonCritical: boolean,
  depth = 0,
): void {
  if (depth > MAX_DEPTH) throw sdk.txDecode('message is nested too deeply')
  const fields = fieldsOf(name)
  let typeUrl = ''
  let value: Uint8Array | undefined
  let at = 0
  while (at < bytes.length) {
    const [tag, behind] = readVarint(bytes, at)
    const number = Math.floor(tag / 8)
    const wire = tag % 8
    if (number === 0 || number > 0x1fffffff) throw sdk.txDecode('invalid field number')
    const field = fields.get(number)
    let content: Uint8Array | undefined
    at = behind
    if (wire === 0) at = readVarint(bytes, at)[1]
    else if (wire === 1) at += 8
    else if (wire === 5) at += 4
    else if (wire === 2) {
      const [length, start] = readVarint(bytes, at)
      at = start + length
      content = bytes.subarray(start, at)
    } else throw sdk.txDecode(`invalid wire type ${wire}`)
    if (at > bytes.length) throw sdk.txDecode('unexpected end of message')
    if (field === undefined) {
      if (allowNonCritical && (number & NON_CRITICAL) !== 0) continue
      throw sdk.txDecode(`errUnknownField "/${name}": {TagNum: ${number}, WireType: ${wire}}`)
    }
    const scalar = WIRE_TYPES[field.t] ?? (field.t.startsWith('enum:') ? 0 : 2)
    if (wire !== scalar && !(field.rep && wire === 2))
      throw sdk.txDecode(`field ${name}.${field.name} has wire type ${wire}, expected ${scalar}`)
    if (content === undefined) continue
    if (name === 'google.protobuf.Any') {
      if (number === 1) typeUrl = Buffer.from(content).toString('utf8')
      else value = content
    } else if (isMessageType(field.t)) rejectUnknownFields(field.t, content, allowNonCritical, depth + 1)
  }
  if (name === 'google.protobuf.Any') {
    const inner = nameOfUrl(typeUrl)
    if (!hasMessage(inner)) throw sdk.txDecode(`unable to resolve type URL ${typeUrl.slice(0, 200)}`)
    if (value !== undefined) rejectUnknownFields(inner, value, allowNonCritical, depth + 1)
  }
}

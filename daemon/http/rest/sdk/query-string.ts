import {
  camelName,
  enumDescriptor,
  type FieldDescriptor,
  isMessageType,
  messageDescriptor,
} from '../../../../core/wire/descriptors.ts'
import { badRequest, type HttpError } from '../../errors.ts'

/** Parameters by name; a name that came several times has a list. */
export type Parameters = Readonly<Record<string, string | readonly string[]>>

/** Throws nothing: it is called before there is anybody who would answer. */
export function parseQueryString(text: string): Parameters {
  const out: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    const before = out[name]
    if (before === undefined) out[name] = value
    else if (typeof before === 'string') out[name] = [before, value]
    else before.push(value)
  }
  return out
}

const refusal = (name: string, what: string): HttpError =>
  badRequest('invalid_parameter', `${name.slice(0, 100)}: ${what}`, { parameter: name.slice(0, 100) })

function scalar(field: FieldDescriptor, text: string, name: string): unknown {
  const { t } = field
  if (t === 'bool') {
    if (text === 'true' || text === '1') return true
    if (text === 'false' || text === '0') return false
    throw refusal(name, 'expected true or false')
  }
  if (t.startsWith('enum:')) {
    const values = enumDescriptor(t.slice(5))
    if (Object.hasOwn(values, text)) return text
    if (/^-?[0-9]+$/.test(text) && Object.values(values).includes(Number(text))) return Number(text)
    throw refusal(name, `expected one of ${Object.keys(values).join(', ')}`)
  }
  // A plus sign that was not escaped arrives as a space.
  if (t === 'bytes') return text.replace(/ /g, '+')
  const integer = /^(u?)int(32|64)$/.exec(t)
  if (integer !== null) return whole(integer[1] === '', Number(integer[2]), text, name)
  if (t === 'double' || t === 'float') return text.trim() === '' ? Number.NaN : Number(text)
  if (isMessageType(t) && !t.startsWith('google.protobuf.')) throw refusal(name, 'expected one of its fields')
  return text
}

function whole(signed: boolean, bits: number, text: string, name: string): string {
  const all = 1n << BigInt(bits)
  const [low, high] = signed ? [-all / 2n, all / 2n - 1n] : [0n, all - 1n]
  if (/^-?[0-9]{1,20}$/.test(text) && BigInt(text) >= low && BigInt(text) <= high) return text
  throw refusal(
    name,
    `expected a whole number from ${low} to ${high}, not ${JSON.stringify(text.slice(0, 40))}`,
  )
}

/** What becomes of parameters that a request has not: they are refused, or left out as grpc-gateway does. */
export type OfUnknown = 'refused' | 'ignored'

/**
 * Puts a parameter, `pagination.limit` say, into the JSON form of a request (`json`) by the definition of `type`.
 * Throws 400 where it is malformed, and for one that the request has not unless such are `ignored`.
 */
export function putParameter(
  type: string,
  json: Record<string, unknown>,
  name: string,
  value: string | readonly string[],
  unknown: OfUnknown,
): void {
  let message = type
  let target = json
  const path = name.split('.')
  for (const [i, part] of path.entries()) {
    const field = messageDescriptor(message).fields.find((f) => f.name === part || camelName(f.name) === part)
    if (field === undefined) {
      if (unknown === 'ignored') return
      throw refusal(name, 'unknown parameter')
    }
    if (i === path.length - 1) {
      const values = (typeof value === 'string' ? [value] : value).map((text) => scalar(field, text, name))
      if (!field.rep && (values.length > 1 || Object.hasOwn(target, field.name)))
        throw refusal(name, 'given several times')
      target[field.name] = field.rep ? values : values[0]
      return
    }
    if (field.rep || !isMessageType(field.t) || field.t.startsWith('google.protobuf.'))
      throw refusal(name, 'unknown parameter')
    if (!Object.hasOwn(target, field.name)) target[field.name] = {}
    target = target[field.name] as Record<string, unknown>
    message = field.t
  }
}

import {
  enumDescriptor,
  type FieldDescriptor,
  isMessageType,
  messageDescriptor,
} from '../../../../core/wire/descriptors.ts'
import type { JsonSchema } from '../route.ts'

const INTEGER = { type: 'string', pattern: '^-?[0-9]+$' }
const SCALARS: Readonly<Record<string, JsonSchema>> = {
  string: { type: 'string' },
  bytes: { type: 'string', format: 'byte' },
  bool: { type: 'boolean' },
  int64: { ...INTEGER, format: 'int64' },
  sint64: { ...INTEGER, format: 'int64' },
  sfixed64: { ...INTEGER, format: 'int64' },
  uint64: { type: 'string', pattern: '^[0-9]+$', format: 'uint64' },
  fixed64: { type: 'string', pattern: '^[0-9]+$', format: 'uint64' },
  double: { type: 'number' },
  float: { type: 'number' },
}
const KNOWN: Readonly<Record<string, JsonSchema>> = {
  'google.protobuf.Timestamp': { type: 'string', format: 'date-time' },
  'google.protobuf.Duration': { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]+)?s$' },
  'google.protobuf.Any': {
    type: 'object',
    description: 'A message of the type that `@type` names.',
    properties: { '@type': { type: 'string' } },
    required: ['@type'],
    additionalProperties: true,
  },
}

/** One value of a field in the SDK's JSON; messages by reference. */
export function valueSchema(field: FieldDescriptor): JsonSchema {
  const { t } = field
  const known = KNOWN[t] ?? SCALARS[t]
  if (t === 'string' && field.scalar !== undefined)
    return { type: 'string', description: field.scalar.replace('cosmos.', '') }
  if (known !== undefined) return known
  if (t.startsWith('enum:')) return { type: 'string', enum: Object.keys(enumDescriptor(t.slice(5))) }
  if (isMessageType(t)) return { $ref: `#/components/schemas/${t}` }
  return { type: 'integer' }
}

function fieldSchema(field: FieldDescriptor): JsonSchema {
  if (field.rep) return { type: 'array', items: valueSchema(field) }
  const schema = valueSchema(field)
  const nullable = (isMessageType(field.t) || field.t === 'google.protobuf.Any') && !field.notNull
  return nullable ? { anyOf: [schema, { type: 'null' }] } : schema
}

/** The schema of an answer's message: every field is there but for those of a choice. */
export function messageSchema(name: string): JsonSchema {
  const { fields } = messageDescriptor(name)
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((f) => [f.name, fieldSchema(f)])),
    required: fields.filter((f) => f.oneof === undefined).map((f) => f.name),
    additionalProperties: false,
  }
}

/** The same for a request, where everything may be left out. */
export function requestSchema(name: string): JsonSchema {
  const { required: _, ...schema } = messageSchema(name)
  return schema
}

/** The messages that `names` hold, however deep, themselves among them. */
export function reachableMessages(names: Iterable<string>): string[] {
  const found = new Set<string>()
  const visit = (name: string): void => {
    if (found.has(name) || KNOWN[name] !== undefined) return
    found.add(name)
    for (const { t } of messageDescriptor(name).fields) if (isMessageType(t)) visit(t)
  }
  for (const name of names) visit(name)
  return [...found].sort()
}

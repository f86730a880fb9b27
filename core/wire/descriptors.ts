import { cosmosDescriptors } from '../../proto/gen/cosmos.ts'
import { fornaxDescriptors } from '../../proto/gen/fornax.ts'

/** One field, from the protobuf definition and its cosmos_proto, gogoproto and amino options. */
export interface FieldDescriptor {
  readonly n: number
  /** As in the .proto file: snake case. */
  readonly name: string
  /** A scalar's protobuf name, `enum:<full name>`, or a message's full name. */
  readonly t: string
  readonly rep?: boolean
  readonly oneof?: string
  /** `cosmos.AddressString`, `cosmos.Int`, `cosmos.Dec` and the like. */
  readonly scalar?: string
  readonly aminoName?: string
  readonly aminoEncoding?: string
  /** Amino JSON keeps the field when it is zero. */
  readonly aminoKeep?: boolean
  /** A message that Go holds by value: JSON shows it even when it was absent. */
  readonly notNull?: boolean
}

export interface MessageDescriptor {
  readonly fields: readonly FieldDescriptor[]
  readonly signers?: readonly string[]
  /** Amino's registered name. */
  readonly amino?: string
  readonly aminoEncoding?: string
}

export interface MethodDescriptor {
  readonly in: string
  readonly out: string
  /** `GET /path/{field}`, first the main one. */
  readonly http?: readonly string[]
  /** `*` where the HTTP body is the request. */
  readonly body?: string
}

interface Descriptors {
  messages: Record<string, MessageDescriptor>
  enums: Record<string, Record<string, number>>
  services: Record<string, Record<string, MethodDescriptor>>
}

const cosmos: Descriptors = JSON.parse(cosmosDescriptors)
const fornax: Descriptors = JSON.parse(fornaxDescriptors)
const known: Descriptors = {
  messages: { ...cosmos.messages, ...fornax.messages },
  enums: { ...cosmos.enums, ...fornax.enums },
  services: { ...cosmos.services, ...fornax.services },
}

// biome-ignore lint/plugin: as many as the definitions have names
const fieldsByNumber = new Map<string, Map<number, FieldDescriptor>>()

/** Throws where nothing of that name is described: a mistake of the program's, not of a user's. */
export function messageDescriptor(name: string): MessageDescriptor {
  const found = Object.hasOwn(known.messages, name) ? known.messages[name] : undefined
  if (found === undefined) throw new Error(`no message ${name}`)
  return found
}

/** Full names of all messages. */
export const messageNames = (): readonly string[] => Object.keys(known.messages)

export const hasMessage = (name: string): boolean => Object.hasOwn(known.messages, name)

let transactionMessages: Set<string> | undefined

/** Whether a message may stand in a transaction: whether it is the input of a Msg service. */
export function isTransactionMessage(name: string): boolean {
  transactionMessages ??= new Set(
    Object.entries(known.services)
      .filter(([service]) => service.endsWith('.Msg'))
      .flatMap(([, methods]) => Object.values(methods).map((m) => m.in)),
  )
  return transactionMessages.has(name)
}

export function serviceDescriptor(name: string): Readonly<Record<string, MethodDescriptor>> {
  const found = known.services[name]
  if (found === undefined) throw new Error(`no service ${name}`)
  return found
}

export function enumDescriptor(name: string): Readonly<Record<string, number>> {
  const found = known.enums[name]
  if (found === undefined) throw new Error(`no enum ${name}`)
  return found
}

export function fieldsOf(name: string): ReadonlyMap<number, FieldDescriptor> {
  let map = fieldsByNumber.get(name)
  if (map === undefined) {
    map = new Map(messageDescriptor(name).fields.map((f) => [f.n, f]))
    fieldsByNumber.set(name, map)
  }
  return map
}

// biome-ignore lint/plugin: as many as the definitions have names
const camelNames = new Map<string, string>()
/** The property name that cosmjs-types and protobufjs give a field. */
export function camelName(name: string): string {
  let camel = camelNames.get(name)
  if (camel === undefined) {
    camel = name.replace(/_+([a-z0-9])/g, (_, c: string) => c.toUpperCase())
    camelNames.set(name, camel)
  }
  return camel
}

export const isMessageType = (type: string): boolean => !type.startsWith('enum:') && type.includes('.')

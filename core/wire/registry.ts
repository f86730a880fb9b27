import './cosmjs-repairs.ts'
import { rethrowExhaustion, sdk } from '../error.ts'

/** A protobuf message's codec: cosmjs-types for everything Cosmos, protobufjs for our own. */
export interface WireType<T = unknown> {
  readonly typeUrl: string
  encode(message: T): { finish(): Uint8Array }
  decode(bytes: Uint8Array): T
  fromPartial(partial: object): T
}

export interface Any {
  readonly typeUrl: string
  readonly value: Uint8Array
}

// biome-ignore lint/plugin: a register of what the program declares
const types = new Map<string, WireType>()

/** Adds every codec of a generated file (`import * as tx from 'cosmjs-types/cosmos/bank/v1beta1/tx'`). */
export function registerTypes(...files: readonly object[]): void {
  for (const file of files)
    for (const [exportName, value] of Object.entries(file)) {
      const type = value as Partial<WireType> | undefined
      if (typeof type === 'object' && typeof type.typeUrl === 'string' && typeof type.decode === 'function') {
        const name = type.typeUrl.replace(/^\//, '')
        // cosmjs-types leaves the outer message out of a nested one's URL; only its export `Outer_Inner` has it.
        const nested = exportName.includes('_')
          ? name.slice(0, name.lastIndexOf('.') + 1) + exportName.replaceAll('_', '.')
          : name
        types.set(nested, type as WireType)
      }
    }
}

/** The codec of a full name (`cosmos.bank.v1beta1.MsgSend`). Throws where none was registered. */
export function wireType(name: string): WireType {
  const type = types.get(name)
  if (type === undefined) throw new Error(`no codec for ${name}`)
  return type
}

export const hasWireType = (name: string): boolean => types.has(name)

/** `/cosmos.bank.v1beta1.MsgSend` → `cosmos.bank.v1beta1.MsgSend`. */
export const nameOfUrl = (typeUrl: string): string => typeUrl.slice(typeUrl.lastIndexOf('/') + 1)

/** Throws sdk/34 where the type is unknown or the bytes are malformed. */
export function unpackAny(any: Any): unknown {
  const type = types.get(nameOfUrl(any.typeUrl))
  if (type === undefined || !any.typeUrl.startsWith('/'))
    throw sdk.unpackAny(`unable to resolve type URL ${any.typeUrl.slice(0, 200)}`)
  try {
    return type.decode(any.value)
  } catch (error) {
    rethrowExhaustion(error)
    throw sdk.unpackAny(`malformed ${any.typeUrl}`)
  }
}

export function packAny(name: string, message: unknown): Any {
  return { typeUrl: `/${name}`, value: wireType(name).encode(message).finish() }
}

/** A message with defaults for what `partial` leaves out. */
export const create = (name: string, partial: object): unknown => wireType(name).fromPartial(partial)

import * as auth from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import * as secp256k1 from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { toHex } from '../../../core/bytes.ts'
import type { Json } from '../../../core/wire/json.ts'
import { type Any, hasWireType, nameOfUrl, registerTypes, unpackAny } from '../../../core/wire/registry.ts'
import { inCosmosDialect } from './dialect.ts'

registerTypes(auth, secp256k1)

const isAny = (value: object): value is Any =>
  'typeUrl' in value && 'value' in value && value.value instanceof Uint8Array

/**
 * A decoded message as data that can be compared: integers as text, bytes in hex, an Any unpacked, addresses in the
 * Cosmos dialect. What is left out of a message is left out here.
 */
export function plain(value: unknown): Json {
  switch (typeof value) {
    case 'bigint':
      return value.toString()
    case 'string':
      return inCosmosDialect(value)
    case 'number':
    case 'boolean':
      return value
    case 'object':
      break
    default:
      throw new Error(`cannot compare ${typeof value}`)
  }
  if (value === null) return null
  if (value instanceof Uint8Array) return toHex(value)
  if (Array.isArray(value)) return value.map(plain)
  if (isAny(value) && hasWireType(nameOfUrl(value.typeUrl)))
    return { '@type': value.typeUrl, ...(plain(unpackAny(value)) as { [key: string]: Json }) }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, v]) => v !== undefined)
      .map(([key, v]) => [key, plain(v)]),
  )
}

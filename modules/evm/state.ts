import {
  addressKey,
  addressValue,
  bytesValue,
  collections,
  type KeyCodec,
  pair,
  protoValue,
  remembering,
} from '../../core/collections.ts'
import * as types from '../../proto/gen/fornax/evm/v1/evm.ts'

export const STORE = 'evm'
const s = collections(STORE)

/** Slots and hashes: 32 bytes. */
const hashKey: KeyCodec<Uint8Array> = {
  encode: (k) => k,
  decode: (b) => b,
  encodePart: (k) => k,
  decodePart: (b, offset) => [b.subarray(offset, offset + 32), offset + 32],
}

/** Programs by keccak256 of them. They are never removed: others may have the same. */
export const codes = s.map(0x01, hashKey, bytesValue)
/** Words that are not zero, as 32 bytes, by account and slot. */
export const storage = s.map(0x02, pair(addressKey, hashKey), bytesValue)
export const params = s.item(0x03, remembering(protoValue(types.Params)))
/** keccak256 of an account's program. */
export const codeHashes = s.map(0x04, addressKey, bytesValue)
/** Who sent the transaction that created a contract; none for those of the genesis. */
export const creators = s.map(0x05, addressKey, addressValue)
/** The last block. */
export const parent = s.item(0x06, remembering(protoValue(types.Parent)))
/** The block that is being executed. */
export const current = s.item(0x07, remembering(protoValue(types.CurrentBlock)))

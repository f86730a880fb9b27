import { addressKey, bytesValue, collections, type KeyCodec, pair } from '../../core/collections.ts'

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
/** keccak256 of an account's program. */
export const codeHashes = s.map(0x04, addressKey, bytesValue)

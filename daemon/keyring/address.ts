import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bech32 } from '@scure/base'
import type { PublicKey } from './record.ts'

export const prefixes = { account: 'fornax', operator: 'fornaxvaloper', consensus: 'fornaxvalcons' }

const secp256k1Amino = Buffer.from('eb5ae98721', 'hex')
const multisigAmino = Buffer.from('22c1f7e2', 'hex')

/** The 20 bytes of an account: of a single key as Bitcoin's, of a multisig the hash of its amino form (SDK ADR 028). */
export function addressOf(publicKey: PublicKey): Uint8Array {
  if (publicKey.type === 'secp256k1') return ripemd160(sha256(publicKey.key))
  const members = publicKey.members.flatMap((m) => [Uint8Array.of(0x12, 38), secp256k1Amino, m])
  return sha256(
    Buffer.concat([multisigAmino, Uint8Array.of(0x08, publicKey.threshold), ...members]),
  ).subarray(0, 20)
}

export const toBech32 = (prefix: string, bytes: Uint8Array): string =>
  bech32.encode(prefix, bech32.toWords(bytes))

/** The bytes behind an address with this prefix; undefined where it is malformed or has another. */
export function fromBech32(prefix: string, text: string): Uint8Array | undefined {
  const decoded = bech32.decodeUnsafe(text)
  if (!decoded || decoded.prefix !== prefix) return undefined
  return bech32.fromWordsUnsafe(decoded.words) || undefined
}

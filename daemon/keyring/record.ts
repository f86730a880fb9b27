import { formatAddress } from '../../core/address.ts'
import { fromBase64, toBase64 } from '../../core/bytes.ts'
import { type KeyType, singleKey } from '../../core/crypto/account-key.ts'
import {
  MAX_MULTISIG_KEYS,
  type MemberKey,
  multisigAddress,
  NO_MEMBER,
  type PublicKey,
} from '../../core/crypto/public-key.ts'
import { ChainError, Unreadable } from '../../core/error.ts'
import type { Sealed } from './seal.ts'

/** A key as the keyring knows it without its secret. */
export interface Key {
  readonly name: string
  /** local: signs here. offline: only its public key is known. multisig: its members sign. */
  readonly kind: 'local' | 'offline' | 'multisig'
  readonly publicKey: PublicKey
}

/** One file of the keyring: `<name>.json`, mode 0600. Keys are compressed secp256k1 points in base64. */
export interface KeyFile {
  readonly version: 1
  readonly name: string
  readonly kind: Key['kind']
  readonly public_key?: string
  /** Of `public_key`. A file without one is of a keyring that had secp256k1 alone. */
  readonly key_type?: KeyType
  readonly threshold?: number
  readonly members?: readonly string[]
  /** Backend `file`: the 32-byte private key encrypted, bound to name and public key. */
  readonly sealed?: Sealed
  /** Backend `test`: the private key in base64, open. */
  readonly secret?: string
}

export const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/**
 * A threshold of single keys, in the order given. Throws Unreadable where the threshold is out of range, the keys too many,
 * or one of a kind that no multisig may have.
 */
export function thresholdKey(threshold: number, keys: readonly PublicKey[]): PublicKey {
  if (!Number.isInteger(threshold) || threshold < 1 || threshold > keys.length)
    throw new Unreadable(`a threshold must be 1 to ${keys.length}`)
  if (keys.length > MAX_MULTISIG_KEYS)
    throw new Unreadable(`a multisig has at most ${MAX_MULTISIG_KEYS} keys, not ${keys.length}`)
  const members = keys.filter((key): key is MemberKey => key.kind !== 'ethsecp256k1')
  if (members.length < keys.length) throw new Unreadable(NO_MEMBER)
  return { kind: 'multisig', threshold, keys: members, address: multisigAddress(threshold, members) }
}

/** What a key's file calls its kind; undefined where that is none. */
const readKeyType = (text: unknown = 'secp256k1'): KeyType | undefined =>
  text === 'secp256k1' || text === 'ethsecp256k1' ? text : undefined

/** The key that a file describes; undefined where it is not a key file. */
export function readKey(file: unknown): Key | undefined {
  if (typeof file !== 'object' || file === null) return undefined
  const { version, name, kind, public_key, key_type, threshold, members } = file as Partial<KeyFile>
  if (version !== 1 || typeof name !== 'string' || !namePattern.test(name)) return undefined
  try {
    if (kind === 'local' || kind === 'offline') {
      const keyType = readKeyType(key_type)
      return keyType && { name, kind, publicKey: singleKey(keyType, fromBase64(String(public_key))) }
    }
    if (kind !== 'multisig' || !Array.isArray(members)) return undefined
    const keys = members.map((m) => singleKey('secp256k1', fromBase64(String(m))))
    return { name, kind, publicKey: thresholdKey(Number(threshold), keys) }
  } catch (error) {
    if (error instanceof Unreadable || error instanceof ChainError) return undefined
    throw error
  }
}

/** The public fields of a key's file. */
export function publicFields({ name, kind, publicKey }: Key): KeyFile {
  if (publicKey.kind !== 'multisig') {
    const file: KeyFile = { version: 1, name, kind, public_key: toBase64(publicKey.key) }
    return publicKey.kind === 'ethsecp256k1' ? { ...file, key_type: publicKey.kind } : file
  }
  const members = publicKey.keys.map((k) => (k.kind === 'multisig' ? '' : toBase64(k.key)))
  return { version: 1, name, kind, threshold: publicKey.threshold, members }
}

/** fornax1… of a key. */
export const accountAddress = (publicKey: PublicKey): string => formatAddress(publicKey.address)

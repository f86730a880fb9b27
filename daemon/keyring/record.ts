import type { Sealed } from './seal.ts'

/** Public part of a key: one secp256k1 key, or a threshold of some. */
export type PublicKey =
  | { readonly type: 'secp256k1'; readonly key: Uint8Array }
  | { readonly type: 'multisig'; readonly threshold: number; readonly members: readonly Uint8Array[] }

/** A key as the keyring knows it without its secret. */
export interface Key {
  readonly name: string
  /** local: signs here. offline: only its public key is known. multisig: its members sign. */
  readonly kind: 'local' | 'offline' | 'multisig'
  readonly publicKey: PublicKey
}

/** One file of the keyring: `<name>.json`, mode 0600. Keys are compressed secp256k1 keys in base64. */
export interface KeyFile {
  readonly version: 1
  readonly name: string
  readonly kind: Key['kind']
  readonly public_key?: string
  readonly threshold?: number
  readonly members?: readonly string[]
  /** Backend `file`: the 32-byte private key encrypted, bound to name and public key. */
  readonly sealed?: Sealed
  /** Backend `test`: the private key in base64, open. */
  readonly secret?: string
}

export const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

const isKey = (bytes: Uint8Array): boolean => bytes.length === 33 && (bytes[0] === 2 || bytes[0] === 3)

/** The key that a file describes; undefined where it is not a key file. */
export function readKey(file: unknown): Key | undefined {
  if (typeof file !== 'object' || file === null) return undefined
  const { version, name, kind, public_key, threshold, members } = file as Partial<KeyFile>
  if (version !== 1 || typeof name !== 'string' || !namePattern.test(name)) return undefined
  if (kind === 'local' || kind === 'offline') {
    if (typeof public_key !== 'string') return undefined
    const key = Buffer.from(public_key, 'base64')
    return isKey(key) ? { name, kind, publicKey: { type: 'secp256k1', key } } : undefined
  }
  if (kind !== 'multisig' || !Array.isArray(members) || !members.every((m) => typeof m === 'string'))
    return undefined
  const keys = members.map((m) => Buffer.from(m, 'base64'))
  if (!Number.isInteger(threshold) || threshold === undefined || threshold < 1 || threshold > keys.length)
    return undefined
  return keys.every(isKey)
    ? { name, kind, publicKey: { type: 'multisig', threshold, members: keys } }
    : undefined
}

/** The public fields of a key's file. */
export function publicFields({ name, kind, publicKey }: Key): KeyFile {
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
  return publicKey.type === 'secp256k1'
    ? { version: 1, name, kind, public_key: base64(publicKey.key) }
    : { version: 1, name, kind, threshold: publicKey.threshold, members: publicKey.members.map(base64) }
}

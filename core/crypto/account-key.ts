import { sdk } from '../error.ts'
import { type Any, packAny } from '../wire/registry.ts'
import { ethAddress, signEthSecp256k1, verifyEthSecp256k1 } from './ethsecp256k1.ts'
import { ETHSECP256K1_URL, MULTISIG_URL, type PublicKey, SECP256K1_URL } from './public-key.ts'
import {
  isSecp256k1PublicKey,
  secp256k1Address,
  secp256k1PublicKey,
  signSecp256k1,
  verifySecp256k1,
} from './secp256k1.ts'

/** Kinds of key of one signer, both of 32 bytes on the curve secp256k1: the same bytes are another account in each. */
export type KeyType = 'secp256k1' | 'ethsecp256k1'

/** A key that signs transactions by itself. */
export type SingleKey = Extract<PublicKey, { readonly kind: KeyType }>

export const isSingleKey = (key: PublicKey): key is SingleKey =>
  key.kind === 'secp256k1' || key.kind === 'ethsecp256k1'

/** A 33-byte compressed key with its address. Throws sdk/8 on anything but a compressed point. */
export function singleKey(kind: KeyType, key: Uint8Array): SingleKey {
  if (!isSecp256k1PublicKey(key)) throw sdk.invalidPubKey('not a compressed secp256k1 point')
  return { kind, key, address: kind === 'secp256k1' ? secp256k1Address(key) : ethAddress(key) }
}

/** The key that a 32-byte private key has. Throws where that is out of range. */
export const publicKeyOf = (kind: KeyType, privateKey: Uint8Array): SingleKey =>
  singleKey(kind, secp256k1PublicKey(privateKey))

/** A 64-byte R‖S signature with a low S, over the digest that the kind has: sha256 or keccak256. */
export const signAs = (kind: KeyType, privateKey: Uint8Array, message: Uint8Array): Uint8Array =>
  (kind === 'secp256k1' ? signSecp256k1 : signEthSecp256k1)(privateKey, message)

/** Whether `signAs` with this key's private one, or a wallet of its kind, made the signature. */
export const verifySingle = ({ kind, key }: SingleKey, message: Uint8Array, signature: Uint8Array): boolean =>
  (kind === 'secp256k1' ? verifySecp256k1 : verifyEthSecp256k1)(key, message, signature)

/** The type URL of a single key. */
export const singleKeyUrl = (kind: KeyType): string =>
  kind === 'secp256k1' ? SECP256K1_URL : ETHSECP256K1_URL

/** The Any of a key that may sign. */
export function publicKeyAny(key: PublicKey): Any {
  if (key.kind === 'multisig')
    return packAny(MULTISIG_URL.slice(1), {
      threshold: key.threshold,
      publicKeys: key.keys.map(publicKeyAny),
    })
  if (!isSingleKey(key)) throw sdk.invalidPubKey(`${key.kind} keys sign no transactions`)
  return packAny(singleKeyUrl(key.kind).slice(1), { key: key.key })
}

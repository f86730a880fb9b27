import * as ed25519Types from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import * as multisigTypes from 'cosmjs-types/cosmos/crypto/multisig/keys'
import { LegacyAminoPubKey } from 'cosmjs-types/cosmos/crypto/multisig/keys'
import * as multisigBits from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig'
import * as secp256k1Types from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import * as ethTypes from '../../proto/gen/cosmos/evm/crypto/v1/ethsecp256k1/keys.ts'
import * as ethermintTypes from '../../proto/gen/ethermint/crypto/v1/ethsecp256k1/keys.ts'
import { type Address, checkAddress } from '../address.ts'
import { concatBytes, fromHex, joinBytes, sha256 } from '../bytes.ts'
import { type ChainError, rethrowExhaustion, sdk } from '../error.ts'
import { keyOf, memory } from '../remembered.ts'
import { type Any, registerTypes } from '../wire/registry.ts'
import { ethAddress } from './ethsecp256k1.ts'
import { isSecp256k1PublicKey, secp256k1Address } from './secp256k1.ts'

registerTypes(secp256k1Types, ethTypes, ethermintTypes, ed25519Types, multisigTypes, multisigBits)

/** A key that accounts may have. */
export type PublicKey =
  | { readonly kind: 'secp256k1'; readonly key: Uint8Array; readonly address: Address }
  | { readonly kind: 'ethsecp256k1'; readonly key: Uint8Array; readonly address: Address }
  | { readonly kind: 'ed25519'; readonly key: Uint8Array; readonly address: Address }
  | {
      readonly kind: 'multisig'
      readonly threshold: number
      readonly keys: readonly MemberKey[]
      readonly address: Address
    }

/** A key that a multisig may have. */
export type MemberKey = Exclude<PublicKey, { readonly kind: 'ethsecp256k1' }>

export const SECP256K1_URL = '/cosmos.crypto.secp256k1.PubKey'
export const ETHSECP256K1_URL = '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey'
/** The older name of the same kind of key. */
export const ETHERMINT_URL = '/ethermint.crypto.v1.ethsecp256k1.PubKey'
export const ED25519_URL = '/cosmos.crypto.ed25519.PubKey'
export const MULTISIG_URL = '/cosmos.crypto.multisig.LegacyAminoPubKey'

/**
 * Keys that a multisig may have, those of its keys counted. No transaction can have more signatures, whatever
 * `tx_sig_limit` says: points are not even parsed.
 */
export const MAX_MULTISIG_KEYS = 64

/** About what a parsed key takes. */
const KEY_BYTES = 512
const parsed = memory<PublicKey>(16 * 1024 * 1024, (key) => KEY_BYTES * countKeys(key))

/** Throws sdk/8 `invalid pubkey` where the Any is no key of a known kind or malformed, sdk/14 for too large a multisig. */
export function parsePublicKey(any: Any): PublicKey {
  const id = keyOf(any.typeUrl, any.value)
  return parsed.get(id) ?? parsed.set(id, readPublicKey(any, 0))
}

/** The Any by which an account keeps a key: kinds that have two names go by one of them. */
export const keptKey = (any: Any): Any =>
  any.typeUrl === ETHERMINT_URL ? { typeUrl: ETHSECP256K1_URL, value: any.value } : any

/** Keys under a key: what the signature limit counts. */
export function countKeys(key: PublicKey): number {
  return key.kind === 'multisig' ? key.keys.reduce((n, k) => n + countKeys(k), 0) : 1
}

function readPublicKey(any: Any, depth: number): PublicKey {
  if (any.typeUrl === SECP256K1_URL) {
    const { key } = decode(any, PubKey)
    if (!isSecp256k1PublicKey(key)) throw sdk.invalidPubKey('not a compressed secp256k1 point')
    return { kind: 'secp256k1', key, address: secp256k1Address(key) }
  }
  if (any.typeUrl === ETHSECP256K1_URL || any.typeUrl === ETHERMINT_URL) {
    const { key } = decode(any, ethTypes.PubKey)
    if (!isSecp256k1PublicKey(key)) throw sdk.invalidPubKey('not a compressed secp256k1 point')
    return { kind: 'ethsecp256k1', key, address: ethAddress(key) }
  }
  if (any.typeUrl === ED25519_URL) {
    const { key } = decode(any, ed25519Types.PubKey)
    if (key.length !== 32) throw sdk.invalidPubKey('an ed25519 key has 32 bytes')
    return { kind: 'ed25519', key, address: checkAddress(sha256(key).subarray(0, 20)) }
  }
  if (any.typeUrl === MULTISIG_URL) return readMultisig(any, depth)
  throw sdk.invalidPubKey(`unknown public key type ${any.typeUrl.slice(0, 100)}`)
}

function readMultisig(any: Any, depth: number): PublicKey {
  if (depth > 1) throw sdk.invalidPubKey('multisig keys are nested too deeply')
  const { threshold, publicKeys } = decode(any, LegacyAminoPubKey)
  if (threshold === 0 || threshold > publicKeys.length)
    throw sdk.invalidPubKey(`threshold ${threshold} of ${publicKeys.length} keys`)
  const keys: MemberKey[] = []
  let count = 0
  for (const publicKey of publicKeys) {
    // Asked before a key is read, so that what is refused costs no more than what is taken.
    if (count >= MAX_MULTISIG_KEYS) throw tooManyKeys()
    const key = readPublicKey(publicKey, depth + 1)
    if (key.kind === 'ethsecp256k1') throw sdk.invalidPubKey(NO_MEMBER)
    count += countKeys(key)
    keys.push(key)
  }
  if (count > MAX_MULTISIG_KEYS) throw tooManyKeys()
  return { kind: 'multisig', threshold, keys, address: multisigAddress(threshold, keys) }
}

/** Why a multisig is refused one of whose keys has Ethereum's address. */
export const NO_MEMBER = 'an ethsecp256k1 key cannot be a member of a multisig'

const tooManyKeys = (): ChainError =>
  sdk.tooManySignatures(`a multisig has at most ${MAX_MULTISIG_KEYS} keys`)

function decode<T>(any: Any, type: { decode(bytes: Uint8Array): T }): T {
  try {
    return type.decode(any.value)
  } catch (error) {
    rethrowExhaustion(error)
    throw sdk.invalidPubKey(`malformed ${any.typeUrl}`)
  }
}

// Amino's registered prefixes of tendermint/PubKeySecp256k1, tendermint/PubKeyEd25519, tendermint/PubKeyMultisigThreshold.
const AMINO_SECP256K1 = fromHex('eb5ae98721')
const AMINO_ED25519 = fromHex('1624de6420')
const AMINO_MULTISIG = fromHex('22c1f7e2')

function aminoKey(key: MemberKey): Uint8Array {
  if (key.kind === 'secp256k1') return concatBytes(AMINO_SECP256K1, key.key)
  if (key.kind === 'ed25519') return concatBytes(AMINO_ED25519, key.key)
  return aminoMultisig(key.threshold, key.keys)
}

function uvarint(n: number): Uint8Array {
  const out: number[] = []
  let rest = n
  for (; rest > 127; rest = Math.floor(rest / 128)) out.push((rest % 128) | 128)
  out.push(rest)
  return Uint8Array.from(out)
}

function aminoMultisig(threshold: number, keys: readonly MemberKey[]): Uint8Array {
  const parts = [AMINO_MULTISIG, Uint8Array.of(0x08), uvarint(threshold)]
  for (const key of keys) {
    const bytes = aminoKey(key)
    parts.push(Uint8Array.of(0x12), uvarint(bytes.length), bytes)
  }
  return joinBytes(parts)
}

/** sha256 of the Amino encoding, cut to 20 bytes, as the SDK's `LegacyAminoPubKey.Address`. */
export function multisigAddress(threshold: number, keys: readonly MemberKey[]): Address {
  return checkAddress(sha256(aminoMultisig(threshold, keys)).subarray(0, 20))
}

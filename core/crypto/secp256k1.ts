import { createHash } from 'node:crypto'
import secp256k1 from 'secp256k1/bindings.js'
import type { Address } from '../address.ts'
import { compareBytes, fromHex, sha256 } from '../bytes.ts'
import { rethrowExhaustion } from '../error.ts'

/** Verifies a 64-byte R‖S signature over sha256 of `message`. High-S signatures are refused. */
export function verifySecp256k1(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== 64 || publicKey.length !== 33) return false
  try {
    return secp256k1.ecdsaVerify(signature, sha256(message), publicKey)
  } catch (error) {
    rethrowExhaustion(error)
    return false
  }
}

/** A 64-byte R‖S signature (low S, RFC 6979) over sha256 of `message`. */
export function signSecp256k1(privateKey: Uint8Array, message: Uint8Array): Uint8Array {
  return secp256k1.ecdsaSign(sha256(message), privateKey).signature
}

/** The 33-byte compressed public key. Throws where the private key is out of range. */
export const secp256k1PublicKey = (privateKey: Uint8Array): Uint8Array =>
  secp256k1.publicKeyCreate(privateKey, true)

export function isSecp256k1PublicKey(key: Uint8Array): boolean {
  return key.length === 33 && secp256k1.publicKeyVerify(key)
}

/** ripemd160(sha256(compressed key)). */
export function secp256k1Address(publicKey: Uint8Array): Address {
  return new Uint8Array(createHash('ripemd160').update(sha256(publicKey)).digest()) as Address
}

/** What libsecp256k1's binding says where a signature has no public key; anything else is no answer about it. */
const NO_KEY = /^(?:Signature could not be parsed|Public key could not be recover)$/

/**
 * The uncompressed public key (X‖Y, 64 bytes) whose 64-byte R‖S signature over a 32-byte digest this is; absent where there
 * is none. `recoveryId` is 0 to 3. A high S is taken, as Ethereum's precompile takes it: who must refuse one, as for
 * transactions (EIP-2), asks `isLowS`.
 */
export function recoverSecp256k1(
  digest: Uint8Array,
  signature: Uint8Array,
  recoveryId: number,
): Uint8Array | undefined {
  if (digest.length !== 32 || signature.length !== 64) return undefined
  if (recoveryId !== 0 && recoveryId !== 1 && recoveryId !== 2 && recoveryId !== 3) return undefined
  try {
    return secp256k1.ecdsaRecover(signature, recoveryId, digest, false).subarray(1)
  } catch (error) {
    rethrowExhaustion(error)
    if (error instanceof Error && NO_KEY.test(error.message)) return undefined
    throw error
  }
}

// (n - 1) / 2 of the group's order n.
const HALF_ORDER = fromHex('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0')

/** Whether S of a 64-byte R‖S signature is at most half of the group's order: of each signature and its twin, one. */
export const isLowS = (signature: Uint8Array): boolean =>
  signature.length === 64 && compareBytes(signature.subarray(32), HALF_ORDER) <= 0

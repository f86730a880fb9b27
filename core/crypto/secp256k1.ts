import { createHash } from 'node:crypto'
import secp256k1 from 'secp256k1/bindings.js'
import type { Address } from '../address.ts'
import { sha256 } from '../bytes.ts'
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

/**
 * The 64 bytes of the uncompressed public key, without its prefix, whose R‖S signature of a 32-byte digest it is. High S is
 * taken: who forbids it looks first. Nothing where the signature is nobody's.
 */
export function recoverSecp256k1(
  digest: Uint8Array,
  signature: Uint8Array,
  recoveryId: number,
): Uint8Array | undefined {
  try {
    return secp256k1.ecdsaRecover(signature, recoveryId, digest, false).subarray(1)
  } catch (error) {
    rethrowExhaustion(error)
    return undefined
  }
}

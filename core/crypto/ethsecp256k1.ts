import secp256k1 from 'secp256k1/bindings.js'
import type { Address } from '../address.ts'
import { rethrowExhaustion } from '../error.ts'
import { keccak256 } from './keccak.ts'

/** Ethereum's address of a 33-byte compressed key: the last 20 bytes of keccak256 of X‖Y. Throws where it is no point. */
export const ethAddress = (publicKey: Uint8Array): Address =>
  keccak256(secp256k1.publicKeyConvert(publicKey, false).subarray(1)).slice(12) as Address

/**
 * Verifies a 64-byte R‖S signature over keccak256 of `message`. High-S signatures are refused. A 65th byte, which wallets
 * of Ethereum add to recover the key, says nothing here: whatever it is, it is left out, as cosmos/evm leaves it out.
 */
export function verifyEthSecp256k1(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  if ((signature.length !== 64 && signature.length !== 65) || publicKey.length !== 33) return false
  try {
    return secp256k1.ecdsaVerify(signature.subarray(0, 64), keccak256(message), publicKey)
  } catch (error) {
    rethrowExhaustion(error)
    return false
  }
}

/** A 64-byte R‖S signature (low S, RFC 6979) over keccak256 of `message`. */
export const signEthSecp256k1 = (privateKey: Uint8Array, message: Uint8Array): Uint8Array =>
  secp256k1.ecdsaSign(keccak256(message), privateKey).signature

import type { CustomCrypto } from '@ethereumjs/common'
import { calculateSigRecovery, setLengthLeft } from '@ethereumjs/util'
import { concatBytes, sha256 } from '../../../core/bytes.ts'
import { keccak256 } from '../../../core/crypto/keccak.ts'
import { recoverSecp256k1 } from '../../../core/crypto/secp256k1.ts'

/**
 * What @ethereumjs' Common takes in place of noble: the hash of the KECCAK256 opcode, of addresses and of transactions, and
 * the recovery of who signed one. `ecrecover` takes a high S, as the library's does; transactions are held to a low S (EIP-2)
 * by their own constructors. Without `kzg`: the contract for it has no need, and blob transactions are none of the chain's.
 */
export const customCrypto: CustomCrypto = {
  keccak256: (message) => keccak256(message),
  sha256: (message) => sha256(message),
  /** Throws where there is no key. */
  ecrecover(digest, v, r, s, chainId) {
    const signature = concatBytes(setLengthLeft(r, 32), setLengthLeft(s, 32))
    const recovery = calculateSigRecovery(v, chainId)
    const isKnown = recovery === 0n || recovery === 1n
    const publicKey = isKnown ? recoverSecp256k1(digest, signature, Number(recovery)) : undefined
    if (publicKey === undefined) throw new Error('no public key has this signature')
    return publicKey
  },
}

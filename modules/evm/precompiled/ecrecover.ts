import { NO_BYTES } from '../../../core/bytes.ts'
import { keccak256 } from '../../../core/crypto/keccak.ts'
import { recoverSecp256k1 } from '../../../core/crypto/secp256k1.ts'
import { type Contract, isZero, padded } from './contract.ts'

/** The signer's address behind 12 zeros; no bytes where a signature has none. A high S is taken, as everywhere in Ethereum. */
export const ecrecoverContract: Contract = {
  gas: () => 3_000n,
  run(data) {
    const input = padded(data, 0, 128)
    const v = input[63]!
    if (!isZero(input, 32, 63) || (v !== 27 && v !== 28)) return NO_BYTES
    const publicKey = recoverSecp256k1(input.subarray(0, 32), input.subarray(64, 128), v - 27)
    if (publicKey === undefined) return NO_BYTES
    return keccak256(publicKey).fill(0, 0, 12)
  },
}

import { RLP } from '@ethereumjs/rlp'
import { type Address, checkAddress } from '../../../core/address.ts'
import { concatBytes } from '../../../core/bytes.ts'
import { keccak256 } from '../../../core/crypto/keccak.ts'

const FROM_SALT = Uint8Array.of(0xff)

/** Where CREATE puts a contract. */
export const createAddress = (creator: Address, nonce: bigint): Address =>
  checkAddress(keccak256(RLP.encode([creator, nonce])).subarray(12))

/** Where CREATE2 puts one (EIP-1014). */
export const createAddress2 = (creator: Address, salt: Uint8Array, initCode: Uint8Array): Address =>
  checkAddress(keccak256(concatBytes(FROM_SALT, creator, salt, keccak256(initCode))).subarray(12))

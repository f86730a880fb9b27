import { createHash } from 'node:crypto'
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createTx, type TypedTxData } from '@ethereumjs/tx'
import {
  bigIntToHex,
  bytesToHex,
  type EOACode7702AuthorizationListBytesItem,
  eoaCode7702SignAuthorization,
} from '@ethereumjs/util'
import secp256k1 from 'secp256k1/bindings.js'
import { type Address, checkAddress } from '../../../core/address.ts'
import { toHex } from '../../../core/bytes.ts'
import { keccak256 } from '../../../core/crypto/keccak.ts'
import { secp256k1PublicKey } from '../../../core/crypto/secp256k1.ts'

const commonOf = (chainId: number) => createCustomCommon({ chainId }, Mainnet, { hardfork: Hardfork.Prague })

/** A key of an Ethereum wallet, by name, that signs with the library's transactions. */
export class EthAccount {
  readonly key: Uint8Array
  readonly address: Address
  nonce = 0n

  constructor(name: string) {
    this.key = createHash('sha256').update(`wallet ${name}`).digest()
    const point = secp256k1.publicKeyConvert(secp256k1PublicKey(this.key), false).subarray(1)
    this.address = checkAddress(keccak256(point).subarray(12))
  }

  get hex(): `0x${string}` {
    return `0x${toHex(this.address)}`
  }

  /** A signed transaction with the next nonce. Type 2 where nothing else is said. */
  sign(tx: Partial<TypedTxData> = {}, chainId = 7373): Uint8Array {
    const fees =
      tx.type === 0 || tx.type === 1
        ? { gasPrice: 10n ** 9n }
        : { maxFeePerGas: 2n * 10n ** 9n, maxPriorityFeePerGas: 0n }
    const data = { type: 2, nonce: this.nonce, gasLimit: 1_000_000n, ...fees, ...tx } as TypedTxData
    const signed = createTx(data, { common: commonOf(chainId) })
      .sign(this.key)
      .serialize()
    this.nonce++
    return signed
  }

  /** Its word that it delegates its code (EIP-7702). */
  authorize(to: Uint8Array, nonce: bigint, chainId = 7373): EOACode7702AuthorizationListBytesItem {
    const unsigned = {
      chainId: bigIntToHex(BigInt(chainId)),
      address: bytesToHex(to),
      nonce: bigIntToHex(nonce),
    }
    return eoaCode7702SignAuthorization(unsigned, this.key)
  }
}

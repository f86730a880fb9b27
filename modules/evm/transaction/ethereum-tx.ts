import type { Address } from '../../../core/address.ts'
import { smaller } from '../../../core/bigints.ts'

/** Legacy (EIP-155), with an access list (EIP-2930), with two fees (EIP-1559), with authorisations (EIP-7702). */
export type TxType = 0 | 1 | 2 | 4

/** An account, and slots of it, that a transaction names before it begins (EIP-2930). */
export interface AccessListEntry {
  readonly address: Address
  /** 32 bytes each. */
  readonly slots: readonly Uint8Array[]
}

/** An account's word that it delegates its code (EIP-7702). */
export interface Authorization {
  /** 0 for any chain. */
  readonly chainId: bigint
  readonly address: Address
  readonly nonce: bigint
  readonly yParity: number
  readonly r: bigint
  readonly s: bigint
  /** What was signed. Whose signature it is, is asked when it has been paid for (`authorityOf`). */
  readonly digest: Uint8Array
}

/** A transaction of Ethereum's, decoded, its sender recovered from the signature. Amounts in afrx. */
export interface EthereumTx {
  readonly bytes: Uint8Array
  /** keccak256 of the bytes. */
  readonly hash: Uint8Array
  readonly type: TxType
  readonly sender: Address
  readonly nonce: bigint
  readonly gasLimit: bigint
  /** Absent where it creates a contract. */
  readonly to: Address | undefined
  readonly value: bigint
  readonly data: Uint8Array
  /** Of a gas, at most; the gas price of types 0 and 1. */
  readonly maxFeePerGas: bigint
  /** Of a gas, at most, above the base fee; the gas price of types 0 and 1. */
  readonly maxPriorityFeePerGas: bigint
  readonly accessList: readonly AccessListEntry[]
  readonly authorizations: readonly Authorization[]
  /** As it stands in the bytes: 0 or 1, of type 0 chain id × 2 + 35 more. */
  readonly v: bigint
  readonly r: bigint
  readonly s: bigint
}

/** What a transaction pays for a gas, where its limits allow the base fee. */
export function effectiveGasPrice(
  tx: Pick<EthereumTx, 'maxFeePerGas' | 'maxPriorityFeePerGas'>,
  baseFee: bigint,
): bigint {
  return smaller(tx.maxFeePerGas, baseFee + tx.maxPriorityFeePerGas)
}

import type { AccountOverride, Call } from '../../modules/evm/api.ts'
import type { FoundLog, LogFilter } from '../index/eth-logs.ts'

/** What the block of a call is told to be in place of what it is. */
export interface BlockOverride {
  readonly number?: bigint
  readonly timestamp?: bigint
  readonly coinbase?: Uint8Array
  readonly prevRandao?: Uint8Array
  readonly gasLimit?: bigint
  readonly baseFee?: bigint
}

/** A call on the state behind a block. */
export interface CallRequest {
  readonly kind: 'call' | 'estimate' | 'accessList'
  /** Of the block. */
  readonly number: bigint
  readonly call: Call
  readonly overrides: readonly AccountOverride[]
  readonly block: BlockOverride
}

/** How a call ended. */
export interface CallResult {
  readonly gasUsed: bigint
  /** Absent on success. */
  readonly error?: string
  /** What it returned, or reverted with. */
  readonly output: Uint8Array
  /** Of `accessList`. */
  readonly accessList?: readonly { readonly address: Uint8Array; readonly slots: readonly Uint8Array[] }[]
}

/** A search for logs in a range of blocks. */
export interface LogsRequest {
  readonly kind: 'logs'
  readonly filter: LogFilter
  readonly from: bigint
  readonly to: bigint
}

export type PoolRequest = CallRequest | LogsRequest
export type ResultOf<R extends PoolRequest> = R extends LogsRequest ? readonly FoundLog[] : CallResult

export interface WorkerRequest {
  readonly id: number
  readonly request: PoolRequest
}

/** `refused`: what the caller is told; `failed`: a fault of the node's. */
export type WorkerAnswer =
  | { readonly id: number; readonly result: CallResult | readonly FoundLog[] }
  | { readonly id: number; readonly refused: string }
  | { readonly id: number; readonly failed: string }

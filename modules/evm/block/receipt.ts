import type { Log } from './bloom.ts'
import { encodeBytes, encodeList, encodeUint } from './rlp.ts'

/** Legacy, EIP-2930, EIP-1559, EIP-7702. */
export type TransactionType = 0 | 1 | 2 | 4

export interface Receipt {
  readonly type: TransactionType
  readonly succeeded: boolean
  /** Gas that the block had used when this transaction ended. */
  readonly cumulativeGasUsed: bigint
  /** `bloomOf(logs)`. */
  readonly logsBloom: Uint8Array
  readonly logs: readonly Log[]
}

/** A receipt as the receipts trie holds it: RLP, behind a byte of the type where that is none of the legacy (EIP-2718). */
export function encodeReceipt(receipt: Receipt): Uint8Array {
  const payload = encodeList([
    encodeUint(receipt.succeeded ? 1n : 0n),
    encodeUint(receipt.cumulativeGasUsed),
    encodeBytes(receipt.logsBloom),
    encodeList(receipt.logs.map(encodeLog)),
  ])
  if (receipt.type === 0) return payload
  const envelope = new Uint8Array(1 + payload.length)
  envelope[0] = receipt.type
  envelope.set(payload, 1)
  return envelope
}

const encodeLog = ({ address, topics, data }: Log): Uint8Array =>
  encodeList([encodeBytes(address), encodeList(topics.map(encodeBytes)), encodeBytes(data)])

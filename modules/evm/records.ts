import { type Address, checkAddress } from '../../core/address.ts'
import { concatBytes, NO_BYTES, uint64BigEndian } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import type { Log } from './block/bloom.ts'
import { encodeBytes, encodeList, encodeUint } from './block/rlp.ts'
import { bytesOf, itemsOf, numberOf, readItems, readList } from './transaction/rlp.ts'

/**
 * What blocks leave for whoever looks them up: no execution reads it but the block's own. Keys by their first byte:
 *
 * | key | value |
 * |---|---|
 * | 0, height | what the block has used so far |
 * | 1, height | how many transactions it has (8 bytes), and its header's RLP |
 * | 2, height, index | a transaction and what it came to |
 * | 3, hash of a transaction | height, index |
 * | 4, hash of a block, Ethereum's or CometBFT's | height |
 *
 * Height and index have 8 bytes, big-endian.
 */
export const DERIVED_STORE = '~evm'

const key = (kind: number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const [first, second] = parts
  return concatBytes(Uint8Array.of(kind), first ?? NO_BYTES, second ?? NO_BYTES)
}

const progressKey = (height: bigint): Uint8Array => key(0, uint64BigEndian(height))
export const blockKey = (height: bigint): Uint8Array => key(1, uint64BigEndian(height))
export const txKey = (height: bigint, index: bigint): Uint8Array =>
  key(2, uint64BigEndian(height), uint64BigEndian(index))
export const txHashKey = (hash: Uint8Array): Uint8Array => key(3, hash)
export const blockHashKey = (hash: Uint8Array): Uint8Array => key(4, hash)

/** What the transactions of a block have used so far. */
export interface Progress {
  readonly txs: bigint
  readonly gasUsed: bigint
  readonly gasWanted: bigint
  readonly logs: bigint
}

const NO_PROGRESS: Progress = { txs: 0n, gasUsed: 0n, gasWanted: 0n, logs: 0n }

export function progressOf(ctx: Context): Progress {
  const bytes = ctx.journal.get(DERIVED_STORE, progressKey(ctx.height))
  if (bytes === undefined) return NO_PROGRESS
  const [txs, gasUsed, gasWanted, logs] = readList(bytes).map((item) => numberOf(item))
  return { txs: txs!, gasUsed: gasUsed!, gasWanted: gasWanted!, logs: logs! }
}

function setProgress(ctx: Context, { txs, gasUsed, gasWanted, logs }: Progress): void {
  const bytes = encodeList([txs, gasUsed, gasWanted, logs].map(encodeUint))
  ctx.journal.set(DERIVED_STORE, progressKey(ctx.height), bytes)
}

/** A transaction of a block, and what it came to. */
export interface TxRecord {
  /** As it was signed. */
  readonly tx: Uint8Array
  readonly sender: Address
  readonly gasUsed: bigint
  /** What it paid for a gas, in afrx. */
  readonly gasPrice: bigint
  /** Where the contract is that it created. */
  readonly contract: Address | undefined
  /** Of its first log in the block. */
  readonly firstLog: bigint
  /** As the block's trie has it. */
  readonly receipt: Uint8Array
}

function encodeTxRecord(record: TxRecord): Uint8Array {
  return encodeList([
    encodeBytes(record.tx),
    encodeBytes(record.sender),
    encodeUint(record.gasUsed),
    encodeUint(record.gasPrice),
    encodeBytes(record.contract ?? NO_BYTES),
    encodeUint(record.firstLog),
    encodeBytes(record.receipt),
  ])
}

export function decodeTxRecord(bytes: Uint8Array): TxRecord {
  const [tx, sender, gasUsed, gasPrice, contract, firstLog, receipt] = readList(bytes)
  const created = bytesOf(contract!)
  return {
    tx: bytesOf(tx!),
    sender: checkAddress(bytesOf(sender!)),
    gasUsed: numberOf(gasUsed!),
    gasPrice: numberOf(gasPrice!),
    contract: created.length === 0 ? undefined : checkAddress(created),
    firstLog: numberOf(firstLog!),
    receipt: bytesOf(receipt!),
  }
}

/** What a receipt says, of the bytes that the trie has. */
export function decodeReceipt(bytes: Uint8Array): {
  readonly succeeded: boolean
  readonly cumulativeGasUsed: bigint
  readonly logsBloom: Uint8Array
  readonly logs: readonly Log[]
} {
  const isTyped = bytes[0]! < 0x80
  const [status, gas, bloom, logs] = readList(isTyped ? bytes.subarray(1) : bytes)
  return {
    succeeded: numberOf(status!) === 1n,
    cumulativeGasUsed: numberOf(gas!),
    logsBloom: bytesOf(bloom!),
    logs: itemsOf(logs!).map((log) => {
      const [address, topics, data] = readItems(log.payload)
      return {
        address: bytesOf(address!),
        topics: itemsOf(topics!).map((topic) => bytesOf(topic)),
        data: bytesOf(data!),
      }
    }),
  }
}

/** Keeps a transaction's record behind those of the block so far. */
export function recordTx(
  ctx: Context,
  hash: Uint8Array,
  record: TxRecord,
  gasWanted: bigint,
  logCount: number,
): void {
  const before = progressOf(ctx)
  ctx.journal.set(DERIVED_STORE, txKey(ctx.height, before.txs), encodeTxRecord(record))
  const place = concatBytes(uint64BigEndian(ctx.height), uint64BigEndian(before.txs))
  ctx.journal.set(DERIVED_STORE, txHashKey(hash), place)
  setProgress(ctx, {
    txs: before.txs + 1n,
    gasUsed: before.gasUsed + record.gasUsed,
    gasWanted: before.gasWanted + gasWanted,
    logs: before.logs + BigInt(logCount),
  })
}

/** The records of the block that is executed, in order. */
export function txRecords(ctx: Context): TxRecord[] {
  const { txs } = progressOf(ctx)
  return Array.from({ length: Number(txs) }, (_, i) =>
    decodeTxRecord(ctx.journal.get(DERIVED_STORE, txKey(ctx.height, BigInt(i)))!),
  )
}

/** Keeps the header, by height and by either hash. */
export function recordBlock(
  ctx: Context,
  number: bigint,
  header: Uint8Array,
  hashes: readonly Uint8Array[],
): void {
  const height = uint64BigEndian(number)
  const { txs } = progressOf(ctx)
  ctx.journal.set(DERIVED_STORE, blockKey(number), concatBytes(uint64BigEndian(txs), header))
  for (const hash of hashes) ctx.journal.set(DERIVED_STORE, blockHashKey(hash), height)
  ctx.journal.delete(DERIVED_STORE, progressKey(ctx.height))
}

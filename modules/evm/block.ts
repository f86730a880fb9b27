import { checkAddress } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import { nextBaseFee } from './base-fee.ts'
import { unionOfBlooms } from './block/bloom.ts'
import { encodeHeader, type Header, hashOfHeader } from './block/header.ts'
import { orderedTrieRoot } from './block/ordered-trie.ts'
import { coinbaseOf, environmentOf, parentHash } from './environment.ts'
import { HISTORY_ADDRESS, historySlot } from './history-contract.ts'
import { wordBytes, wordOf } from './machine/word.ts'
import { params } from './params.ts'
import { decodeReceipt, progressOf, recordBlock, txRecords } from './records.ts'
import * as state from './state.ts'
import { WorldState } from './world-state.ts'

const NO_ROOT = new Uint8Array(32)

/** Fixes what the block's programs are told, and keeps the hash of the block before (EIP-2935). */
export function beginBlock(ctx: Context): void {
  const p = params(ctx)
  const parent = state.parent.get(ctx)
  state.current.set(ctx, {
    baseFee: nextBaseFee(p, parent).toString(),
    gasLimit: p.blockGasLimit,
    coinbase: coinbaseOf(ctx),
  })
  if (parent !== undefined)
    new WorldState(ctx).setStorage(
      HISTORY_ADDRESS,
      wordBytes(historySlot(ctx.height - 1n)),
      wordOf(parent.hash),
    )
}

/** Makes the block's header of its transactions, for the next block and for whoever looks it up. */
export function endBlock(ctx: Context): void {
  const records = txRecords(ctx)
  const { gasUsed, gasWanted } = progressOf(ctx)
  const environment = environmentOf(ctx)
  const header: Header = {
    parentHash: parentHash(ctx),
    beneficiary: environment.coinbase,
    // Of the state before, as far as it is committed.
    stateRoot: ctx.block.appHash.length === 32 ? ctx.block.appHash : NO_ROOT,
    transactionsRoot: orderedTrieRoot(records.map(({ tx }) => tx)),
    receiptsRoot: orderedTrieRoot(records.map(({ receipt }) => receipt)),
    logsBloom: unionOfBlooms(records.map(({ receipt }) => decodeReceipt(receipt).logsBloom)),
    number: ctx.height,
    gasLimit: environment.gasLimit,
    gasUsed,
    timestamp: environment.timestamp,
    extraData: ctx.block.hash,
    prevRandao: environment.prevRandao,
    baseFeePerGas: environment.baseFee,
    parentBeaconBlockRoot: NO_ROOT,
  }
  keep(ctx, header, gasUsed > gasWanted / 2n ? gasUsed : gasWanted / 2n)
}

/** The block before the first, so that numbers begin as they do on Ethereum. */
export function genesisBlock(ctx: Context): void {
  const p = params(ctx)
  const first: Header = {
    parentHash: NO_ROOT,
    beneficiary: checkAddress(new Uint8Array(20)),
    stateRoot: NO_ROOT,
    transactionsRoot: orderedTrieRoot([]),
    receiptsRoot: orderedTrieRoot([]),
    logsBloom: unionOfBlooms([]),
    number: ctx.height > 0n ? ctx.height - 1n : 0n,
    gasLimit: p.blockGasLimit,
    gasUsed: 0n,
    timestamp: ctx.timeNs / 1_000_000_000n,
    extraData: NO_ROOT.subarray(0, 0),
    prevRandao: NO_ROOT,
    baseFeePerGas: nextBaseFee(p, undefined),
    parentBeaconBlockRoot: NO_ROOT,
  }
  keep(ctx, first, 0n)
}

function keep(ctx: Context, header: Header, gas: bigint): void {
  const rlp = encodeHeader(header)
  const hash = hashOfHeader(rlp)
  const { baseFeePerGas, timestamp, gasLimit } = header
  state.parent.set(ctx, { hash, baseFee: baseFeePerGas.toString(), gas, timestamp, gasLimit })
  recordBlock(ctx, header.number, rlp, ctx.block.hash.length > 0 ? [hash, ctx.block.hash] : [hash])
}

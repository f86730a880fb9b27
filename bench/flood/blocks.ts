import { call, latestHeight } from '../transfers/load.ts'

export interface BlockTime {
  readonly height: number
  /** Milliseconds of the header's time. */
  readonly timeMs: number
  /** Transactions of users. */
  readonly txs: number
}

interface Headers {
  readonly block_metas: readonly {
    readonly header: { readonly height: string; readonly time: string }
    readonly num_txs: string
  }[]
}

const PAGE = 20
const POLL_MS = 200

/** The blocks from `first` to `last`, by their headers; `ownTxs` in each are the chain's own. */
export async function blocksOf(
  rpc: string,
  first: number,
  last: number,
  ownTxs: number,
): Promise<BlockTime[]> {
  const found: BlockTime[] = []
  for (let min = first; min <= last; min += PAGE) {
    const range = { minHeight: String(min), maxHeight: String(Math.min(last, min + PAGE - 1)) }
    const { block_metas } = await call<Headers>(rpc, 'blockchain', range)
    for (const { header, num_txs } of [...block_metas].reverse())
      found.push({
        height: Number(header.height),
        timeMs: Date.parse(header.time),
        txs: Number(num_txs) - ownTxs,
      })
  }
  return found
}

/** Blocks without a user's transaction and nothing in the mempool: what is missing now was dropped. */
const DRY_BLOCKS = 3

/**
 * The blocks above `height` until `count` transactions of users stand in them, or until those that are missing must
 * have been dropped.
 */
export async function blocksWith(
  rpc: string,
  height: number,
  count: number,
  ownTxs: number,
): Promise<BlockTime[]> {
  const found: BlockTime[] = []
  const begin = await latestHeight(rpc)
  for (;;) {
    const from = height + found.length + 1
    const latest = await latestHeight(rpc)
    if (latest >= from) found.push(...(await blocksOf(rpc, from, latest, ownTxs)))
    if (found.reduce((sum, { txs }) => sum + txs, 0) >= count) return found
    const isDry = latest > begin + DRY_BLOCKS && found.slice(-DRY_BLOCKS).every((block) => block.txs === 0)
    if (isDry && (await call<{ n_txs: string }>(rpc, 'num_unconfirmed_txs')).n_txs === '0') return found
    await new Promise((r) => setTimeout(r, POLL_MS))
  }
}

/** Those of `txs` that stand in none of the blocks. */
export async function missingFrom(
  rpc: string,
  blocks: readonly BlockTime[],
  txs: readonly Uint8Array[],
): Promise<Uint8Array[]> {
  const there = new Set<string>()
  for (const { height } of blocks) {
    const { block } = await call<{ block: { data: { txs: string[] | null } } }>(rpc, 'block', {
      height: String(height),
    })
    for (const tx of block.data.txs ?? []) there.add(tx)
  }
  return txs.filter((tx) => !there.has(Buffer.from(tx).toString('base64')))
}

/** Milliseconds from each block to the next. */
export const intervals = (blocks: readonly BlockTime[]): number[] =>
  blocks.slice(1).map(({ timeMs }, i) => timeMs - blocks[i]!.timeMs)

export const quantile = (values: readonly number[], q: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? Number.NaN

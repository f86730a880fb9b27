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

/** Waits until blocks above `height` hold `count` transactions of users, and answers those blocks. */
export async function waitForTxs(
  rpc: string,
  height: number,
  count: number,
  ownTxs: number,
  patienceMs: number,
): Promise<BlockTime[]> {
  const found: BlockTime[] = []
  let seen = 0
  let quietSince = performance.now()
  while (seen < count) {
    const from = height + found.length + 1
    const latest = await latestHeight(rpc)
    if (latest >= from)
      for (const block of await blocksOf(rpc, from, latest, ownTxs)) {
        found.push(block)
        seen += block.txs
        if (block.txs > 0) quietSince = performance.now()
      }
    if (performance.now() - quietSince > patienceMs)
      throw new Error(`only ${seen} of ${count} transactions were committed`)
    if (seen < count) await new Promise((r) => setTimeout(r, POLL_MS))
  }
  return found
}

/** Milliseconds from each block to the next. */
export const intervals = (blocks: readonly BlockTime[]): number[] =>
  blocks.slice(1).map(({ timeMs }, i) => timeMs - blocks[i]!.timeMs)

export const quantile = (values: readonly number[], q: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? Number.NaN

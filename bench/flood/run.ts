import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { senders, signedSends } from '../transfers/accounts.ts'
import { call, latestHeight, requireSuccess } from '../transfers/load.ts'
import { fornaxSubject, type Subject, simdSubject } from '../transfers/subjects.ts'
import { type BlockTime, blocksOf, blocksWith, intervals, missingFrom, quantile } from './blocks.ts'
import { INVALID, invalidSends } from './loads.ts'
import { usageOf, watchHeap } from './process-usage.ts'
import { type Pushed, pushAll } from './push.ts'
import { RestPoll } from './rest-poll.ts'

/**
 * One node under more than it can take, beside `simd` under the same: how far apart its blocks are, how fast it works
 * the load off, how long a reader waits, what memory it takes.
 */
const ACCOUNTS = 1000
const TXS = Number(process.env['TXS'] ?? 120_000)
const SLOTS = (process.env['SLOTS'] ?? '500,4600').split(',').map(Number)
/** `simd` gets a third of the load: its mempool never fills, and its pace is the same throughout. */
const SIMD_SHARE = 1 / 3
const SUBJECTS = (process.env['SUBJECTS'] ?? 'simd,fornaxd').split(',')
const LOADS = (process.env['LOADS'] ?? 'valid,invalid').split(',') as Load[]
/** As fornaxd has it by default, and for `simd` the same. */
const mempoolOf = (commitMs: number): number =>
  Number(process.env['MEMPOOL'] ?? Math.max(5000, Math.round(commitMs * 5)))
/** Blocks of the idle chain. */
const IDLE_BLOCKS = { short: 20, long: 4 }
/** How often transactions that a full mempool has dropped are pushed again. */
const PUSHES = 10

type Load = 'valid' | 'invalid'

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function describeIntervals(values: readonly number[]): string {
  return `p50 ${seconds(quantile(values, 0.5))}, p95 ${seconds(quantile(values, 0.95))}, max ${seconds(Math.max(...values))}`
}

function describeLatencies({ latencies, failures }: Awaited<ReturnType<RestPoll['take']>>): string {
  const of = (q: number): string => `${quantile(latencies, q).toFixed(0)} ms`
  return `p50 ${of(0.5)}, p95 ${of(0.95)}, max ${of(1)} of ${latencies.length}${failures > 0 ? `, ${failures} failed` : ''}`
}

async function waitForHeight(rpc: string, height: number): Promise<void> {
  while ((await latestHeight(rpc)) < height) await sleep(100)
}

/** What a transaction is refused with. */
const refusalOf = async (rpc: string, tx: Uint8Array): Promise<string> =>
  call<object>(rpc, 'broadcast_tx_sync', { tx: Buffer.from(tx).toString('base64') }).then(
    JSON.stringify,
    String,
  )

/** Pushes transactions until all of them are in blocks; answers those, and how long the first push took. */
async function workOff(
  { rpc, ownTxs, mempool }: Subject,
  txs: readonly Uint8Array[],
): Promise<{ blocks: BlockTime[]; pushed: Pushed; dropped: number }> {
  const before = await latestHeight(rpc)
  const pushed = await pushAll(rpc, txs, mempool)
  const blocks = await blocksWith(rpc, before, txs.length, ownTxs)
  let dropped = 0
  for (let pushes = 1; ; pushes++) {
    if (blocks.reduce((sum, { txs }) => sum + txs, 0) >= txs.length) return { blocks, pushed, dropped }
    const missing = await missingFrom(rpc, blocks, txs)
    if (pushes === PUSHES)
      throw new Error(
        `${missing.length} of ${txs.length} transactions were not taken; the first: ${await refusalOf(rpc, missing[0]!)}`,
      )
    dropped += missing.length
    await pushAll(rpc, missing, mempool, 1)
    blocks.push(...(await blocksWith(rpc, blocks.at(-1)!.height, missing.length, ownTxs)))
  }
}

/** Pushes transactions that are refused, which leaves no trace: two blocks later all of them have been. */
async function pushInvalid(
  { rpc, ownTxs, mempool }: Subject,
  txs: readonly Uint8Array[],
): Promise<{ blocks: BlockTime[]; pushed: Pushed; dropped: number }> {
  const before = await latestHeight(rpc)
  const pushed = await pushAll(rpc, txs, mempool)
  const height = (await latestHeight(rpc)) + 2
  await waitForHeight(rpc, height)
  return { blocks: await blocksOf(rpc, before + 1, height, ownTxs), pushed, dropped: 0 }
}

/** Pushes the load and waits until it is worked off; answers the blocks meanwhile, and the one before. */
async function work(subject: Subject, load: Load, txs: readonly Uint8Array[]): Promise<BlockTime[]> {
  const began = performance.now()
  const { blocks, pushed, dropped } = await (load === 'valid' ? workOff : pushInvalid)(subject, txs)
  const seconds = load === 'valid' ? (performance.now() - began) / 1000 : pushed.seconds
  const sizes = blocks.map(({ txs }) => txs)
  const again = dropped > 0 ? `, ${dropped} were dropped and pushed again` : ''
  console.log(
    `    ${(txs.length / seconds).toFixed(0)} tx/s: pushed in ${pushed.seconds.toFixed(1)} s (${pushed.held.toFixed(1)} s of it the mempool had no room${again}), worked off in ${seconds.toFixed(1)} s, in ${blocks.length} blocks of up to ${Math.max(...sizes)}, median ${quantile(sizes, 0.5)}`,
  )
  const before = blocks[0]!.height - 1
  return [...(await blocksOf(subject.rpc, before, before, 0)), ...blocks]
}

async function measure(subject: Subject, load: Load, count: number, slotMs: number): Promise<void> {
  console.log(
    `  ${subject.name}, ${count} ${load}, timeout_commit ${slotMs} ms, mempool of ${subject.mempool}`,
  )
  subject.prepare(ACCOUNTS)
  const { rpc, dialect, firstNumber, rest, metrics } = subject
  const from = senders(ACCOUNTS, dialect.prefix)
  const txs = (load === 'valid' ? signedSends : invalidSends)(from, count, dialect, firstNumber)
  const pid = await subject.start()
  const poll =
    rest === undefined
      ? undefined
      : new RestPoll([
          `${rest}/cosmos/bank/v1beta1/balances/${from[0]!.address}`,
          `${rest}/agents/consensus`,
          `${rest}/cosmos/auth/v1beta1/accounts/${from[1]!.address}`,
        ])
  try {
    const first = (await latestHeight(rpc)) + 1
    const last = first + (slotMs < 2000 ? IDLE_BLOCKS.short : IDLE_BLOCKS.long)
    await waitForHeight(rpc, last)
    const idle = intervals(await blocksOf(rpc, first, last, 0))
    const idleRest = await poll?.take()
    const heap = metrics === undefined ? undefined : watchHeap(metrics)
    const before = usageOf(pid)
    const blocks = await work(subject, load, txs)
    const after = usageOf(pid)
    const heapPeak = heap?.stop()
    const busyRest = await poll?.take()
    const busy = intervals(blocks)
    const ratio = quantile(busy, 0.95) / quantile(idle, 0.95)
    console.log(`    blocks: idle ${describeIntervals(idle)}`)
    console.log(
      `            busy ${describeIntervals(busy)}; p95 ${ratio.toFixed(2)} times that of the idle chain`,
    )
    if (idleRest && busyRest) {
      console.log(`    REST:   idle ${describeLatencies(idleRest)}`)
      console.log(`            busy ${describeLatencies(busyRest)}`)
    }
    console.log(
      `    processor time: node ${(after.node - before.node).toFixed(1)} s${after.comet > 0 ? `, CometBFT ${(after.comet - before.comet).toFixed(1)} s` : ''}; peaks: resident ${after.peakResident.toFixed(0)} MiB${heapPeak === undefined ? '' : `, heap ${heapPeak.toFixed(0)} MiB`}`,
    )
    if (load === 'valid') await requireSuccess(rpc, blocks[0]!.height, blocks.at(-1)!.height)
  } finally {
    await poll?.stop()
    await subject.stop()
  }
}

const root = new URL('../../../', import.meta.url).pathname
const simd = join(root, '.cache/bin/simd')
if (SUBJECTS.includes('simd') && !existsSync(simd)) {
  console.error('simd is missing: run `make peers`')
  process.exit(1)
}
const folder = mkdtempSync(join(tmpdir(), 'fornax-flood-'))
try {
  console.log(`flood: ${TXS} sends from ${ACCOUNTS} accounts, as fast as they are taken; invalid: ${INVALID}`)
  for (const commitMs of SLOTS)
    for (const load of LOADS) {
      const options = { commitMs, mempool: mempoolOf(commitMs) }
      if (SUBJECTS.includes('simd'))
        await measure(simdSubject(simd, folder, options), load, Math.ceil(TXS * SIMD_SHARE), commitMs)
      if (SUBJECTS.includes('fornaxd'))
        await measure(fornaxSubject(join(root, 'dist/daemon/main.js'), folder, options), load, TXS, commitMs)
    }
} finally {
  if (process.env['KEEP'] === undefined) rmSync(folder, { recursive: true, force: true })
}

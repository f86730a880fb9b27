import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { type ProcessUsage, usageOf } from '../flood/process-usage.ts'
import { fillingTransactions, type Sender, senders, signedSends } from './accounts.ts'
import { BATCH, broadcastAll, encodeBatches, latestHeight, requireSuccess, waitCommitted } from './load.ts'
import { floorSubject, fornaxSubject, type Subject, simdSubject } from './subjects.ts'

const ACCOUNTS = 1000
const TXS = Number(process.env['TXS'] ?? 20_000)
const RUNS = Number(process.env['RUNS'] ?? 3)
/** Further accounts in state: the rate is to stay above 0.7 of that without them. */
const SIZES = (process.env['SIZES'] ?? '100000,1000000').split(',').filter(Boolean).map(Number)

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!

/**
 * Transactions a second, from the first broadcast to the commit of the last: of sends among the senders, and with
 * `idle` further accounts in state, of as many to those.
 */
async function measure(subject: Subject, idle = 0): Promise<{ among: number; toIdle: number }> {
  subject.prepare(ACCOUNTS + 1)
  const { dialect, firstNumber } = subject
  const all = senders(ACCOUNTS + 1, dialect.prefix)
  const sends = (options: object): Uint8Array[] =>
    signedSends(all.slice(0, ACCOUNTS), TXS, dialect, firstNumber, options)
  const among = sends({})
  const toIdle = idle > 0 ? sends({ idle, firstSequence: TXS / ACCOUNTS }) : []
  const pid = await subject.start()
  try {
    if (idle > 0) await fill(subject, all[ACCOUNTS]!, idle)
    const note = idle > 0 ? `${idle} idle accounts; ` : ''
    return {
      among: await timed(subject, pid, among, `${note}among the senders`),
      toIdle: idle > 0 ? await timed(subject, pid, toIdle, `${note}to those`) : 0,
    }
  } finally {
    await subject.stop()
  }
}

/** Processor seconds between two looks. */
function processorTime(before: ProcessUsage, after: ProcessUsage): string {
  const node = (after.node - before.node).toFixed(1)
  return after.comet > 0 ? `${node} s, CometBFT ${(after.comet - before.comet).toFixed(1)} s` : `${node} s`
}

async function timed(
  { name, rpc, ownTxs }: Subject,
  pid: number,
  txs: readonly Uint8Array[],
  what: string,
): Promise<number> {
  const bodies = encodeBatches(txs)
  const height = await latestHeight(rpc)
  const before = usageOf(pid)
  const began = performance.now()
  await broadcastAll(rpc, bodies, ACCOUNTS / BATCH)
  const sent = performance.now()
  const last = await waitCommitted(rpc, height, txs.length, ownTxs)
  const seconds = (performance.now() - began) / 1000
  const used = processorTime(before, usageOf(pid))
  await requireSuccess(rpc, height, last)
  const rate = txs.length / seconds
  console.log(
    `  ${name.padEnd(8)} ${rate.toFixed(0).padStart(6)} tx/s   (${what}; ${txs[0]!.length} bytes each, all sent after ${((sent - began) / 1000).toFixed(1)} s, committed after ${seconds.toFixed(1)} s in ${last - height} blocks; processor time ${used})`,
  )
  return rate
}

/** Makes the idle accounts on the running chain: a genesis file of a million does not fit in one ABCI message. */
async function fill({ rpc, dialect, firstNumber }: Subject, from: Sender, idle: number): Promise<void> {
  for (const tx of fillingTransactions(from, firstNumber + ACCOUNTS, idle, dialect)) {
    const height = await latestHeight(rpc)
    await broadcastAll(rpc, encodeBatches([tx]), 1)
    await requireSuccess(rpc, height, await waitCommitted(rpc, height, 1, 1))
  }
}

const root = new URL('../../../', import.meta.url).pathname
const simd = join(root, '.cache/bin/simd')
if (!existsSync(simd)) {
  console.error('simd is missing: run `make peers`')
  process.exit(1)
}
const folder = mkdtempSync(join(tmpdir(), 'fornax-bench-'))
try {
  const fornaxd = fornaxSubject(join(root, 'dist/daemon/main.js'), folder)
  const subjects = [
    simdSubject(simd, folder),
    fornaxd,
    floorSubject(join(root, 'dist/bench/transfers/floor.js'), folder),
  ]
  console.log(
    `transfers: ${TXS} pre-signed bank sends from ${ACCOUNTS} accounts, ${RUNS} runs of each in turns`,
  )
  const rates = new Map<string, number[]>(subjects.map((s) => [s.name, []]))
  for (let i = 0; i < RUNS; i++)
    for (const subject of subjects) rates.get(subject.name)!.push((await measure(subject)).among)
  for (const [name, list] of rates)
    console.log(
      `${name.padEnd(8)} median ${median(list).toFixed(0)} tx/s, range ${Math.min(...list).toFixed(0)} … ${Math.max(...list).toFixed(0)}`,
    )
  const plain = median(rates.get('fornaxd')!)
  for (const idle of SIZES) {
    const { among, toIdle } = await measure(fornaxd, idle)
    console.log(
      `fornaxd with ${idle} accounts more in state: ${(among / plain).toFixed(2)} of its median, ${(toIdle / plain).toFixed(2)} where the sends go to those`,
    )
  }
  console.log(
    `ratio fornaxd / simd: ${(median(rates.get('fornaxd')!) / median(rates.get('simd')!)).toFixed(2)}`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

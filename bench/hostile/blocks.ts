import { simulate } from '../../daemon/app/simulate.ts'
import { type Executed, executedInputs } from './executed.ts'
import { gasOf, ordinary, type Refused } from './inputs.ts'
import { refusedInputs } from './refused.ts'
import type { PlayedBlock, Subject } from './subject.ts'
import type { Cost } from './table.ts'
import { transaction } from './transaction.ts'

export const MAX_BLOCK_BYTES = 4 * 1024 * 1024
export const MAX_BLOCK_GAS = 100_000_000
/** A byte more for each transaction's tag and four for its length; the extended commit and the header come on top. */
const FOR_TRANSACTIONS = MAX_BLOCK_BYTES - 64 * 1024

/** What a block without transactions takes: the extended commit, the classifier, the agents, the set. */
export interface Idle {
  readonly processMs: number
  readonly finalizeMs: number
}

const total = ({ processMs, finalizeMs, commitMs }: PlayedBlock): number => processMs + finalizeMs + commitMs

export async function idleBlock(subject: Subject): Promise<Idle> {
  const blocks: PlayedBlock[] = []
  for (let i = 0; i < 7; i++) blocks.push(await subject.play([]))
  const median = (of: (block: PlayedBlock) => number): number => blocks.map(of).sort((a, b) => a - b)[3]!
  return { processMs: median((b) => b.processMs), finalizeMs: median((b) => b.finalizeMs + b.commitMs) }
}

/** What a stage of a block costs beyond an idle one's, and what becomes of a whole block of the same. */
export interface BlockCosts {
  readonly process: Cost
  readonly finalize: Cost
  readonly isAdmissible: boolean
  /** Bytes of each of the sample's transactions. */
  readonly each: number
  /** Of ProcessProposal, FinalizeBlock and Commit of a full block, reckoned from the sample. */
  readonly fullMs: number
}

interface Sample {
  readonly name: string
  readonly txs: readonly Uint8Array[]
  readonly gasWanted: number
}

function costsOf({ name, txs, gasWanted }: Sample, idle: Idle, block: PlayedBlock): BlockCosts {
  const bytes = txs.reduce((sum, tx) => sum + tx.length, 0)
  const { code, codespace } = block.answer.txResults.at(-1)!
  const used = block.answer.txResults.reduce(
    (sum, { gasUsed, code }) => (code === 0 ? sum + Number(gasUsed) : sum),
    0,
  )
  const outcome = `${codespace}/${code}`
  const gas = used > 0 ? used : gasWanted
  const processMs = Math.max(0, block.processMs - idle.processMs)
  const finalizeMs = Math.max(0, block.finalizeMs + block.commitMs - idle.finalizeMs)
  const whole = Math.min(FOR_TRANSACTIONS / bytes, MAX_BLOCK_GAS / Math.max(1, gasWanted))
  return {
    process: { name, bytes, gas, ms: processMs, outcome: block.isAdmissible ? 'accepted' : 'rejected' },
    finalize: { name, bytes, gas, ms: finalizeMs, outcome },
    isAdmissible: block.isAdmissible,
    each: bytes / txs.length,
    fullMs: idle.processMs + idle.finalizeMs + (processMs + finalizeMs) * whole,
  }
}

/** Transactions of one refused input, in few bytes or many, up to `bytes` and `gas` together. */
export function refusedSample(
  subject: Subject,
  { name, size, make }: Refused,
  each: number,
  bytes: number,
  gas: number,
): Sample {
  const txs: Uint8Array[] = []
  let left = bytes
  let gasWanted = 0
  for (let turn = 0; ; turn++) {
    const tx = make(subject, 1_000_000 + Number(subject.chain.height) * 10_000 + turn, size ?? each)
    gasWanted += Number(gasOf(size ?? each))
    left -= tx.length + 5
    if (txs.length > 0 && (left < 0 || gasWanted > gas)) return { name, txs, gasWanted }
    txs.push(tx)
  }
}

/** Sizes of transactions in blocks: many, or one that no mempool would take. */
const EACH = [2 * 1024, 1024 * 1024] as const

/** A quarter of a block of each refused input. */
export async function refusedBlocks(subject: Subject, idle: Idle): Promise<BlockCosts[]> {
  const found: BlockCosts[] = []
  for (const input of [ordinary, ...refusedInputs])
    for (const each of input.size === undefined ? EACH : [input.size]) {
      const sample = refusedSample(subject, input, each, MAX_BLOCK_BYTES / 4, MAX_BLOCK_GAS / 4)
      found.push(costsOf(sample, idle, await subject.play(sample.txs)))
    }
  return found
}

/** A block of nothing but this refused input, as full as may be. */
export async function fullRefusedBlock(
  subject: Subject,
  { finalize: { name }, each }: BlockCosts,
): Promise<PlayedBlock & { totalMs: number }> {
  const input = refusedInputs.find((r) => r.name === name)!
  // What fills a quarter alone is to fill the whole alone.
  const size = each > 256 * 1024 ? FOR_TRANSACTIONS - 512 * 1024 : each
  const sample = refusedSample(subject, input, size, FOR_TRANSACTIONS, MAX_BLOCK_GAS)
  const block = await subject.play(sample.txs)
  return { ...block, totalMs: total(block) }
}

async function executedSample(subject: Subject, input: Executed, share: number): Promise<Sample> {
  const { state } = subject.chain
  const txs: Uint8Array[] = []
  let gasWanted = 0
  let bytes = 0
  let gas: bigint | undefined
  for (let turn = 0; ; turn++) {
    const by = input.signer(subject, turn)
    const messages = input.messages(subject, turn, by)
    if (gas === undefined) {
      const tried = await simulate(state, transaction(by, messages, { gas: 90_000_000n }))
      if (tried.error !== undefined && input.fails !== true) throw tried.error
      gas = (tried.gasUsed * 104n) / 100n + 2_000n
    }
    const tx = transaction(by, messages, { gas, isSigned: true })
    gasWanted += Number(gas)
    bytes += tx.length + 5
    if (txs.length > 0 && (gasWanted > share * MAX_BLOCK_GAS || bytes > share * FOR_TRANSACTIONS))
      return { name: input.name, txs, gasWanted: gasWanted - Number(gas) }
    by.sequence++
    txs.push(tx)
  }
}

/** A quarter of a block of each message that is carried out. */
export async function executedBlocks(subject: Subject, idle: Idle): Promise<BlockCosts[]> {
  const found: BlockCosts[] = []
  for (const input of executedInputs) {
    const sample = await executedSample(subject, input, 0.25)
    const block = await subject.play(sample.txs)
    found.push(costsOf(sample, idle, block))
    for (const { code, log } of block.answer.txResults)
      if (code !== 0 && input.fails !== true) throw new Error(`${input.name}: ${log}`)
  }
  return found
}

/** A whole block of one message. */
export async function fullExecutedBlock(
  subject: Subject,
  name: string,
): Promise<PlayedBlock & { totalMs: number }> {
  const sample = await executedSample(subject, executedInputs.find((e) => e.name === name)!, 1)
  const block = await subject.play(sample.txs)
  return { ...block, totalMs: total(block) }
}

import { NO_BYTES, toLatin1 } from '../../../core/bytes.ts'
import { type Block, Context } from '../../../core/context.ts'
import { Journal } from '../../../core/journal.ts'
import { encodeReport } from '../../../modules/classifier/api.ts'
import { type Judgement, judge } from '../../../modules/classifier/judgement.ts'
import { recordBlock } from '../../../modules/classifier/record-block.ts'
import * as state from '../../../modules/classifier/state.ts'
import { Roster } from '../../../proto/gen/fornax/classifier/v1/classifier.ts'
import { MemoryState } from '../store/memory-state.ts'

const MODEL = new Uint8Array(32).fill(7)

/** A validator of a network without an application: its number is its address, as a consensus key and as operator. */
export interface Reporter {
  readonly power: bigint
  /** What it says of each validator; nothing where its vote or report is not in the block, empty where it is unusable. */
  readonly says?: readonly number[] | undefined
  /** Its score so far. */
  readonly score?: number
}

export const addressOf = (n: number): Uint8Array => Uint8Array.of(n >> 8, n & 255, ...new Array(18).fill(1))

const reportOf = (says: readonly number[]): Uint8Array =>
  says.length === 0 ? NO_BYTES : encodeReport(MODEL, MODEL, says)

/** The state of a network in the block whose votes carry these reports, before anything is learnt of them. */
export function networkOf(reporters: readonly Reporter[]): Context {
  const journal = new Journal(new MemoryState())
  const votes = reporters.map(({ power, says }, n) => ({
    address: addressOf(n),
    power,
    flag: 'commit',
    ...(says && { extension: { report: reportOf(says), telemetry: NO_BYTES } }),
  }))
  const block = { chainId: 'fornax', height: 100n, proposer: addressOf(0), votes, misbehavior: [] }
  const ctx = new Context(journal, block as unknown as Block, 'block')
  const records = reporters.map(({ power, score = 0 }, n) => ({
    address: addressOf(n),
    operator: addressOf(n),
    power,
    score,
    age: 500,
  }))
  state.model.set(ctx, { sha256: MODEL, activationHeight: 0n })
  state.roster.set(ctx, Roster.fromPartial({ records, previous: records.map(({ address }) => address) }))
  return ctx
}

/** A judgement with scores by number. */
export function judged(
  reporters: readonly Reporter[],
): Judgement & { scoreOf: (n: number) => number | undefined } {
  const judgement = judge(networkOf(reporters))
  return { ...judgement, scoreOf: (n) => judgement.scores.get(toLatin1(addressOf(n))) }
}

/** The network after the block. */
export function recorded(reporters: readonly Reporter[]): Context {
  const ctx = networkOf(reporters)
  recordBlock(ctx, judge(ctx))
  return ctx
}

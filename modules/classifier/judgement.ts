import { equalBytes, toLatin1 } from '../../core/bytes.ts'
import type { Context, Vote } from '../../core/context.ts'
import { modelOfReports } from './model.ts'
import { params } from './params.ts'
import { decodeReport, MAX_SCORES } from './report.ts'
import { rosterOf } from './roster.ts'

/**
 * The outcome for a validator's report: there is `none`, or no model to make it by; it is `unusable`, of another model or
 * another roster; it `agrees`; it `disagrees` with what most of the reporting power says; or it `strays` where too few
 * agree to say who is wrong.
 */
export type Verdict = 'none' | 'unusable' | 'agrees' | 'disagrees' | 'strays'

export interface Judgement {
  /** In the order of the block's votes. */
  readonly verdicts: readonly Verdict[]
  /** By consensus address: the scores that are replaced in this block. */
  readonly scores: ReadonlyMap<string, number>
}

/** A usable report, and the power of all who made it: honest ones are equal to the last byte. */
interface DistinctReport {
  readonly scores: readonly number[]
  power: bigint
}

/** The scores of a report; nothing where they are not of this model and for a roster of this length. */
function usableScores(
  bytes: Uint8Array,
  modelHash: Uint8Array,
  length: number,
): readonly number[] | undefined {
  const report = decodeReport(bytes)
  if (report === undefined || report.scores.length !== length) return undefined
  return equalBytes(report.modelPrefix, modelHash.subarray(0, report.modelPrefix.length))
    ? report.scores
    : undefined
}

/** Whether validators were to report on the state before the last block: by a model, and on no more than a report holds. */
const areReportsDue = (ctx: Context): boolean =>
  modelOfReports(ctx).sha256.length > 0 && rosterOf(ctx).previous.length <= MAX_SCORES

/**
 * Reads the reports on the last block: the scores that they agree on, and who agrees. Of honest reporters all say the
 * same, h. A score below h takes reports below h of more than a third of all power, one above h such above it: while
 * liars have no more than a third, whatever is replaced becomes h, whichever reports a proposer leaves out; so no honest
 * report is ever further off than nothing, and none can be made to disagree.
 */
export function judge(ctx: Context): Judgement {
  const { votes } = ctx.block
  const subjects = rosterOf(ctx).previous.map(toLatin1)
  const { sha256 } = modelOfReports(ctx)
  const isDue = areReportsDue(ctx)
  const { distinct, scoresOf } = distinctReports(votes, sha256, subjects.length)
  const voteOf = new Map(votes.map(({ address }, i) => [toLatin1(address), i]))
  const total = votes.reduce((sum, { power }) => sum + power, 0n)
  const agreed = subjects.map((subject, i) => {
    const own = voteOf.get(subject)
    const said = distinct.map(({ scores, power }) => ({
      score: scores[i]!,
      power: own !== undefined && scoresOf[own] === scores ? power - votes[own]!.power : power,
    }))
    return twoSidedThird(said, total)
  })
  const { agreementTolerance } = params(ctx)
  const agreesWith = new Map(
    distinct.map(({ scores }) => [
      scores,
      scores.every((score, i) => Math.abs(score - (agreed[i] ?? score)) <= agreementTolerance),
    ]),
  )
  const agrees = scoresOf.map((scores) => scores && agreesWith.get(scores))
  const powerOf = (isCounted: (vote: number) => boolean): bigint =>
    votes.reduce((sum, { power }, i) => (isCounted(i) ? sum + power : sum), 0n)
  const reporting = powerOf((i) => votes[i]!.flag === 'commit' && votes[i]!.extension !== undefined)
  const otherwise = 2n * powerOf((i) => agrees[i] === true) > reporting ? 'disagrees' : 'strays'
  return {
    verdicts: votes.map(({ flag, extension }, i) => {
      if (flag !== 'commit' || extension === undefined || !isDue) return 'none'
      if (agrees[i] === undefined) return 'unusable'
      return agrees[i] ? 'agrees' : otherwise
    }),
    scores: new Map(
      subjects.flatMap((subject, i) => (agreed[i] === undefined ? [] : [[subject, agreed[i]] as const])),
    ),
  }
}

/** The usable reports, each once where votes carry the same bytes, and for each vote the scores of its report. */
function distinctReports(votes: readonly Vote[], modelHash: Uint8Array, length: number) {
  const read = new Map<Uint8Array, DistinctReport | undefined>()
  const scoresOf = votes.map((vote) => {
    const { flag, power, extension } = vote
    if (flag !== 'commit' || extension === undefined) return undefined
    const { report } = extension
    if (!read.has(report)) {
      const scores = usableScores(report, modelHash, length)
      read.set(report, scores && { scores, power: 0n })
    }
    const distinct = read.get(report)
    if (distinct === undefined) return undefined
    distinct.power += power
    return distinct.scores
  })
  const distinct: readonly DistinctReport[] = [...read.values()].filter((report) => report !== undefined)
  return { distinct, scoresOf }
}

/**
 * The lowest score such that more than a third of all power says at most that, if more than a third says at least that.
 */
export function twoSidedThird(
  said: readonly { readonly score: number; readonly power: bigint }[],
  total: bigint,
): number | undefined {
  const sorted = said.toSorted((a, b) => a.score - b.score)
  let atMost = 0n
  for (const { score, power } of sorted) {
    atMost += power
    if (3n * atMost <= total) continue
    const atLeast = said.reduce((sum, s) => (s.score >= score ? sum + s.power : sum), 0n)
    return 3n * atLeast > total ? score : undefined
  }
  return undefined
}

import { equalBytes, toLatin1 } from '../../core/bytes.ts'
import type { Context, Vote } from '../../core/context.ts'
import { modelAt } from './model.ts'
import { params } from './params.ts'
import { rosterOf } from './roster.ts'
import { decodeReport } from './vote-report.ts'

/**
 * What becomes of a validator's report: there is `none`; it is `unusable`, of another model or another roster; it
 * `agrees`; it `disagrees` with a network of which two thirds agree; or it `strays` where too few agree to say who is
 * wrong.
 */
export type Verdict = 'none' | 'unusable' | 'agrees' | 'disagrees' | 'strays'

export interface Judgement {
  /** In the order of the block's votes. */
  readonly verdicts: readonly Verdict[]
  /** By consensus address: the medians, where reporters had two thirds of the power. */
  readonly scores: ReadonlyMap<string, number>
}

const COMMIT = 2

interface Report {
  readonly voter: string
  readonly power: bigint
  readonly scores: readonly number[]
}

/** The scores of a vote's report; nothing where they are not of this model and for a roster of this length. */
function usableScores(vote: Vote, modelHash: Uint8Array, length: number): readonly number[] | undefined {
  const report = vote.flag === COMMIT && vote.extension ? decodeReport(vote.extension) : undefined
  if (report === undefined || report.scores.length !== length) return undefined
  return equalBytes(report.modelPrefix, modelHash.subarray(0, report.modelPrefix.length))
    ? report.scores
    : undefined
}

/** Reads the reports on the last block: the agreed score of each member of the roster they speak of, and who agrees. */
export function judgeReports(ctx: Context): Judgement {
  const { votes } = ctx.block
  const roster = rosterOf(ctx)
  const subjects = roster.previous.map(toLatin1)
  const { sha256 } = modelAt(ctx, ctx.height - 2n)
  const scoresOf = votes.map((vote) => usableScores(vote, sha256, subjects.length))
  const reports: Report[] = []
  for (const [i, scores] of scoresOf.entries())
    if (scores !== undefined)
      reports.push({ voter: toLatin1(votes[i]!.address), power: votes[i]!.power, scores })
  const total = votes.reduce((sum, { power }) => sum + power, 0n)
  const isTwoThirds = (power: bigint): boolean => total > 0n && 3n * power >= 2n * total
  const hasQuorum = isTwoThirds(reports.reduce((sum, { power }) => sum + power, 0n))
  const standing = new Map(roster.records.map((r) => [toLatin1(r.address), r.score]))
  const agreed = subjects.map((subject, i) =>
    hasQuorum ? medianOf(reports, subject, i) : (standing.get(subject) ?? 0),
  )
  const { agreementTolerance } = params(ctx)
  const agrees = scoresOf.map((scores) =>
    scores?.every((score, i) => Math.abs(score - agreed[i]!) <= agreementTolerance),
  )
  const agreeing = votes.reduce((sum, { power }, i) => (agrees[i] ? sum + power : sum), 0n)
  const otherwise = isTwoThirds(agreeing) ? 'disagrees' : 'strays'
  return {
    verdicts: votes.map(({ flag, extension }, i) => {
      if (flag !== COMMIT || extension === undefined) return 'none'
      if (agrees[i] === undefined) return 'unusable'
      return agrees[i] ? 'agrees' : otherwise
    }),
    scores: new Map(hasQuorum ? subjects.map((subject, i) => [subject, agreed[i]!]) : []),
  }
}

/** The lower weighted median of what the others say of a subject; what it says itself where nobody else speaks. */
function medianOf(reports: readonly Report[], subject: string, at: number): number {
  const others = reports.filter(({ voter }) => voter !== subject)
  const heard = (others.length > 0 ? others : reports).map(({ scores, power }) => ({
    score: scores[at]!,
    power,
  }))
  heard.sort((a, b) => a.score - b.score)
  const total = heard.reduce((sum, { power }) => sum + power, 0n)
  let below = 0n
  for (const { score, power } of heard) {
    below += power
    if (2n * below >= total) return score
  }
  return 0
}

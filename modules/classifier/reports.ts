import { equalBytes, toLatin1 } from '../../core/bytes.ts'
import type { Context, Vote } from '../../core/context.ts'
import { modelAt } from './model.ts'
import { params } from './params.ts'
import { rosterOf } from './roster.ts'
import { decodeReport, MAX_SCORES } from './vote-report.ts'

/**
 * What becomes of a validator's report: there is `none`, or no model to make it by; it is `unusable`, of another model or another roster; it
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

/** What several voters said alike: nearly all say the same. */
interface Opinion {
  readonly scores: readonly number[]
  voters: number
  power: bigint
}

/** The scores of a report; nothing where they are not of this model and for a roster of this length. */
function usableScores(
  extension: Uint8Array,
  modelHash: Uint8Array,
  length: number,
): readonly number[] | undefined {
  const report = decodeReport(extension)
  if (report === undefined || report.scores.length !== length) return undefined
  return equalBytes(report.modelPrefix, modelHash.subarray(0, report.modelPrefix.length))
    ? report.scores
    : undefined
}

/** Whether validators were to report on the state before the last block: by a model, and on no more than a report holds. */
export const areReportsDue = (ctx: Context): boolean =>
  modelAt(ctx, ctx.height - 2n).sha256.length > 0 && rosterOf(ctx).previous.length <= MAX_SCORES

/** Reads the reports on the last block: the agreed score of each member of the roster they speak of, and who agrees. */
export function judgeReports(ctx: Context): Judgement {
  const { votes } = ctx.block
  const roster = rosterOf(ctx)
  const subjects = roster.previous.map(toLatin1)
  const { sha256 } = modelAt(ctx, ctx.height - 2n)
  const isDue = areReportsDue(ctx)
  const { opinions, opinionOf } = opinionsOf(votes, sha256, subjects.length)
  const votesOf = new Map<string, number[]>()
  for (const [i, { address }] of votes.entries()) {
    const id = toLatin1(address)
    votesOf.set(id, [...(votesOf.get(id) ?? []), i])
  }
  const total = votes.reduce((sum, { power }) => sum + power, 0n)
  const isTwoThirds = (power: bigint): boolean => total > 0n && 3n * power >= 2n * total
  const hasQuorum = isTwoThirds(opinions.reduce((sum, { power }) => sum + power, 0n))
  const standing = new Map(roster.records.map((r) => [toLatin1(r.address), r.score]))
  const agreed = subjects.map((subject, i) => {
    if (!hasQuorum) return standing.get(subject) ?? 0
    const own = votesOf.get(subject)?.filter((vote) => opinionOf[vote] !== undefined) ?? []
    return medianOf(
      own.reduce((heard, vote) => without(heard, opinionOf[vote]!, votes[vote]!.power), opinions),
      i,
      opinions,
    )
  })
  const { agreementTolerance } = params(ctx)
  const agreesWith = new Map(
    opinions.map((opinion) => [
      opinion.scores,
      opinion.scores.every((score, i) => Math.abs(score - agreed[i]!) <= agreementTolerance),
    ]),
  )
  const agrees = opinionOf.map((scores) => scores && agreesWith.get(scores))
  const agreeing = votes.reduce((sum, { power }, i) => (agrees[i] ? sum + power : sum), 0n)
  const otherwise = isTwoThirds(agreeing) ? 'disagrees' : 'strays'
  return {
    verdicts: votes.map(({ flag, extension }, i) => {
      if (flag !== COMMIT || extension === undefined || !isDue) return 'none'
      if (agrees[i] === undefined) return 'unusable'
      return agrees[i] ? 'agrees' : otherwise
    }),
    scores: new Map(hasQuorum ? subjects.map((subject, i) => [subject, agreed[i]!]) : []),
  }
}

/** The usable reports, put together where votes carry the same bytes, and the scores of each vote's. */
function opinionsOf(votes: readonly Vote[], modelHash: Uint8Array, length: number) {
  const read = new Map<Uint8Array, Opinion | undefined>()
  const opinionOf = votes.map((vote) => {
    const { flag, power, extension } = vote
    if (flag !== COMMIT || extension === undefined) return undefined
    if (!read.has(extension)) {
      const scores = usableScores(extension, modelHash, length)
      read.set(extension, scores && { scores, voters: 0, power: 0n })
    }
    const opinion = read.get(extension)
    if (opinion === undefined) return undefined
    opinion.voters++
    opinion.power += power
    return opinion.scores
  })
  const opinions: readonly Opinion[] = [...read.values()].filter((opinion) => opinion !== undefined)
  return { opinions, opinionOf }
}

/** The opinions without one voter who holds that of these scores. */
const without = (
  opinions: readonly Opinion[],
  scores: readonly number[],
  power: bigint,
): readonly Opinion[] =>
  opinions.flatMap((opinion) => {
    if (opinion.scores !== scores) return opinion
    return opinion.voters === 1 ? [] : { scores, voters: opinion.voters - 1, power: opinion.power - power }
  })

/** The lower weighted median of what the others say of a subject; of what all say where nobody else speaks. */
function medianOf(others: readonly Opinion[], at: number, all: readonly Opinion[]): number {
  const heard = (others.length > 0 ? others : all).map(({ scores, power }) => ({
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

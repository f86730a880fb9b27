import type { Address } from '../../core/address.ts'
import { equalBytes } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import type { Evidence, Params, Standing } from '../../proto/gen/fornax/agents/v1/agents.ts'
import type { Roster, ValidatorRecord } from '../../proto/gen/fornax/classifier/v1/classifier.ts'
import {
  blocksSinceJoining,
  countBits,
  FEATURES,
  type FeatureName,
  type FeatureRow,
  featuresOf,
  rosterOf,
  votesLeftOut,
  votesLost,
  type Witnesses,
  witnessesOf,
} from '../classifier/api.ts'
import { BAN_CONFIDENCE_MIN, HIGH_PENALTY_THRESHOLD } from './constants.ts'
import { isObjective, type Reason } from './penalty.ts'
import { standingOf } from './pools.ts'

const places = Object.fromEntries(FEATURES.map(([name], i) => [name, i])) as Record<FeatureName, number>

/** Of 64 reports, as the model's own gate has it: fewer disagreements are no proof. */
const BAN_DISAGREEMENTS = 48
/** Blocks that the short count of missed votes looks back on. */
const SHORT = 64

/** A validator in a block, with everything that a decision on it rests on. */
export interface Subject {
  readonly record: Readonly<ValidatorRecord>
  readonly row: FeatureRow
  readonly roster: Readonly<Roster>
  readonly witnesses: Witnesses
  readonly standing: Readonly<Standing>
}

/** Everybody on the roster, in its order. */
export function subjectsOf(ctx: Context): Subject[] {
  const roster = rosterOf(ctx)
  const rows = featuresOf(ctx)
  const witnesses = witnessesOf(ctx.height, roster)
  return roster.records.map((record, i) => {
    const standing = standingOf(ctx, record.operator as Address)
    return { record, row: rows[i]!, roster, witnesses, standing }
  })
}

/**
 * The figures that reasons rest on, the gravest reason first. Less than a third of the power can make up none of
 * them, but for `disputed_power`, which only the two sides can know.
 */
export function figuresOf(ctx: Context, subject: Subject, p: Params): readonly Evidence[] {
  const { row, record, witnesses } = subject
  const of = (name: FeatureName): number => row[places[name]]!
  const newDisagreements = sinceBeginning(record, record.disagreement)
  const figure = (
    reason: Reason,
    name: string,
    value: number,
    causeFrom: number,
    heavyFrom = 0,
    banFrom = 0,
  ) => ({
    reason,
    figure: name,
    value,
    causeFrom,
    heavyFrom,
    banFrom,
  })
  return [
    figure('ByzantineVote', 'evidence', of('evidence'), 1, 1, 1),
    figure(
      'InvalidExtension',
      'new_invalid_extensions',
      sinceBeginning(record, record.deviant),
      p.invalidExtensions,
    ),
    figure('InvalidExtension', 'invalid_extensions', of('deviant'), 0, p.heavyInvalidExtensions),
    figure('Disagreement', 'new_disagreements', newDisagreements, p.disagreements),
    figure('Disagreement', 'disagreements', of('disagreement'), 0, p.heavyDisagreements, BAN_DISAGREEMENTS),
    figure(
      'Disagreement',
      'disagreement_rate',
      newDisagreements === 0 ? 0 : permille(of('disagreement_long')),
      p.heavyDisagreementRate,
      p.heavyDisagreementRate,
    ),
    figure('MissedVotes', 'missed_votes', votesLost(record, witnesses, SHORT), p.missedVotes),
    figure('MissedVotes', 'long_missed_votes', of('lost'), p.longMissedVotes, p.heavyMissedVotes),
    figure('MissedVotes', 'missed_rate', permille(of('lost_long')), 0, p.heavyMissedRate),
    figure('MissedProposals', 'missed_turns', of('turns_missed'), p.missedTurns, p.heavyMissedTurns),
    ...omissionsOf(ctx, subject, p).map(([name, value, from]) => figure('Omission', name, value, from)),
    figure(
      'StaleTelemetry',
      'stale_blocks',
      Math.min(of('telemetry_age'), blocksSinceJoining(ctx, record)),
      p.staleBlocks,
    ),
    figure('Overload', 'overload_cpu', of('cpu'), p.overloadCpu),
    figure('Overload', 'overload_latency_ms', of('latency'), p.overloadLatencyMs),
  ]
}

/** Of an average in 1/65,536. */
const permille = (average: number): number => (1000 * average) >> 16

/** Strikes since the record began: those before, which a jail has left, have had their penalty. */
const sinceBeginning = ({ age }: Readonly<ValidatorRecord>, strikes: bigint): number =>
  countBits(age < 64 ? BigInt.asUintN(age, strikes) : strikes)

/** Votes left out of own blocks count in the block that it proposes; what whole networks lose is nobody's omission. */
function omissionsOf(
  ctx: Context,
  { record, row, roster, witnesses, standing }: Subject,
  p: Params,
): (readonly [figure: string, value: number, causeFrom: number])[] {
  if (ctx.mode !== 'query' && !equalBytes(record.address, ctx.block.proposer)) return []
  const { permille, disputed } = votesLeftOut(record, roster, witnesses)
  const network = 2 * row[places.network_omissions]!
  const disputes = disputed >= record.power && disputed > 0n && ctx.height >= standing.undisputedUntil
  return [
    ['omissions', permille, Math.max(p.omissions, network + 1)],
    ['disputed_power', disputes ? Number((1000n * disputed) / witnesses.totalPower) : 0, 1],
  ]
}

/**
 * The gravest reason that a penalty for this score can rest on. From 0.70 on it must be objective, and a figure of its own
 * must carry the score. Nothing where there is none.
 */
export function reasonFor(figures: readonly Evidence[], score: number): Reason | undefined {
  const isCause = (reason: string): boolean =>
    figures.some((f) => f.reason === reason && f.causeFrom > 0 && f.value >= f.causeFrom)
  const carries = ({ value, heavyFrom, banFrom }: Evidence): boolean => {
    const from = score >= BAN_CONFIDENCE_MIN ? banFrom : heavyFrom
    return from > 0 && value >= from
  }
  const found = figures.find(
    (f) =>
      isCause(f.reason) &&
      (score < HIGH_PENALTY_THRESHOLD || (isObjective(f.reason as Reason) && carries(f))),
  )
  return found?.reason as Reason | undefined
}

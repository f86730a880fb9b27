import { BAN_CONFIDENCE_MIN, HIGH_PENALTY_THRESHOLD } from './constants.ts'

export type Penalty = 'PermanentBan' | 'Heavy' | 'Moderate'

export type Reason =
  | 'ByzantineVote'
  | 'InvalidExtension'
  | 'Disagreement'
  | 'MissedVotes'
  | 'MissedProposals'
  | 'Omission'
  | 'StaleTelemetry'
  | 'Overload'

/** Reasons that the chain itself has seen, rather than been told. Only these can end in a ban. */
const OBJECTIVE: ReadonlySet<Reason> = new Set<Reason>([
  'ByzantineVote',
  'InvalidExtension',
  'Disagreement',
  'MissedVotes',
  'MissedProposals',
])

export const isObjective = (reason: Reason): boolean => OBJECTIVE.has(reason)

/** Both bounds are inclusive. */
export function penaltyOf(score: number): Penalty {
  if (score >= BAN_CONFIDENCE_MIN) return 'PermanentBan'
  return score >= HIGH_PENALTY_THRESHOLD ? 'Heavy' : 'Moderate'
}

/** Section 2.1 of the interface; scores are of 10,000. */
export const BAN_CONFIDENCE_MIN = 8_000
export const HIGH_PENALTY_THRESHOLD = 7_000
/** Percent of the Zenith Pool that must agree. */
export const SIMILARITY_THRESHOLD = 60
export const FAILSAFE_HALT_AFTER_BLOCKS = 3

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

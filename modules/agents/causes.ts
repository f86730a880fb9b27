import type { Params } from '../../proto/gen/fornax/agents/v1/agents.ts'
import { FEATURES, type FeatureName, type FeatureRow } from '../classifier/api.ts'
import type { Reason } from './constants.ts'

const places = Object.fromEntries(FEATURES.map(([name], i) => [name, i])) as Record<FeatureName, number>

export const featureOf = (row: FeatureRow, name: FeatureName): number => row[places[name]]!

/** What there is against a validator, the gravest first; nothing of a healthy one. */
export function causeOf(row: FeatureRow, p: Params): Reason | undefined {
  const of = (name: FeatureName): number => featureOf(row, name)
  if (of('evidence') > 0) return 'ByzantineVote'
  if (of('deviant') >= p.invalidExtensions) return 'InvalidExtension'
  if (of('disagreement') >= p.disagreements) return 'Disagreement'
  if (of('missed') >= p.missedVotes || of('nil') >= p.missedVotes) return 'MissedVotes'
  if (of('turns_missed') >= p.missedTurns) return 'MissedProposals'
  if (of('telemetry_age') >= p.staleBlocks) return 'StaleTelemetry'
  if (of('cpu') >= p.overloadCpu || of('latency') >= p.overloadLatencyMs) return 'Overload'
  return undefined
}

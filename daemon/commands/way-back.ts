import type { Evidence } from '../../proto/gen/fornax/agents/v1/agents.ts'
import type { QueryStandingResponse } from '../../proto/gen/fornax/agents/v1/query.ts'

/** The units of the figures that reasons rest on, in words. */
const FIGURES: Readonly<Record<string, string>> = {
  evidence: 'pieces of evidence',
  new_invalid_extensions: 'of its last 64 reports unusable since it joined the set',
  invalid_extensions: 'of its last 64 reports unusable',
  new_disagreements: 'of its last 64 reports far off since it joined the set',
  disagreements: 'of its last 64 reports far off',
  disagreement_rate: '‰ of its reports far off over some 1,024 blocks',
  missed_votes: 'of the last 64 votes missed or nil that a third of the power could not have made up',
  long_missed_votes: 'of the last 512 votes missed or nil that a third of the power could not have made up',
  missed_rate: '‰ of its votes lost so over some 2,048 blocks',
  missed_turns: '1/256 turns to propose missed while it voted',
  omissions: '‰ of votes left out of its blocks that a third of the power could not have withheld',
  disputed_power: '‰ of the power is in others’ blocks and hardly in its own',
  stale_blocks: 'blocks since its last telemetry',
  overload_cpu: '1/100 % of its processors in use',
  overload_latency_ms: 'ms of latency',
}

/** A line for each figure that is a cause, or carries more. */
export const causesIn = (figures: readonly Evidence[]): string[] =>
  figures.flatMap(({ reason, figure, value, causeFrom, heavyFrom, banFrom }) => {
    const reached = (from: number): boolean => from > 0 && value >= from
    if (![causeFrom, heavyFrom, banFrom].some(reached)) return []
    const limits = [
      ...(causeFrom > 0 ? [`a cause from ${causeFrom}`] : []),
      ...(heavyFrom > 0 ? [`carries 70 % from ${heavyFrom}`] : []),
      ...(banFrom > 0 ? [`80 % from ${banFrom}`] : []),
    ]
    return [`${reason}: ${value} ${FIGURES[figure] ?? figure} (${limits.join(', ')})`]
  })

/** How a validator comes back from what it is in. */
export function wayBack({ banned, pool, standing }: QueryStandingResponse, height: bigint): string {
  const { jailedUntil, horizonUntil } = standing
  const horizon = `in Horizon until height ${horizonUntil}, longer while there is a cause; it ends by itself`
  if (banned) return 'a governance proposal with MsgLiftBan, then `fornaxd tx slashing unjail`'
  if (jailedUntil > height)
    return `in jail until height ${jailedUntil}; then \`fornaxd tx slashing unjail\`, and Horizon for a while`
  if (pool === '') return 'out of the set: `fornaxd tx slashing unjail` where it is in jail, else more stake'
  return horizonUntil > height ? horizon : 'nothing to come back from'
}

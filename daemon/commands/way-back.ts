import type { Evidence } from '../../proto/gen/fornax/agents/v1/agents.ts'
import type { QueryStandingResponse } from '../../proto/gen/fornax/agents/v1/query.ts'

interface Figure {
  readonly words: string
  /** In the unit that people read; by default the number itself. */
  readonly unit?: (value: number) => string
}

/** Features end at 10 s. */
const latency = (ms: number): string => (ms >= 10_000 ? '10 s or more' : `${ms} ms`)
const percent = (value: number): string => `${value / 100} %`
const permille = (value: number): string => `${value} ‰`
const turns = (value: number): string => (value / 256).toFixed(2).replace(/\.?0+$/, '')

/** The figures that reasons rest on, in words. */
const FIGURES: Readonly<Record<string, Figure>> = {
  evidence: { words: 'pieces of evidence' },
  new_invalid_extensions: { words: 'of its last 64 reports unusable since its last jail' },
  invalid_extensions: { words: 'of its last 64 reports unusable' },
  new_disagreements: { words: 'of its last 64 reports far off since its last jail' },
  disagreements: { words: 'of its last 64 reports far off' },
  disagreement_rate: { words: 'of its reports far off over some 1,024 blocks', unit: permille },
  missed_votes: {
    words: 'of the last 64 votes missed or nil that a third of the power could not have made up',
  },
  long_missed_votes: {
    words: 'of the last 512 votes missed or nil that a third of the power could not have made up',
  },
  missed_rate: { words: 'of its votes lost so over some 2,048 blocks', unit: permille },
  missed_turns: { words: 'turns to propose missed while it voted', unit: turns },
  omissions: {
    words: 'of votes left out of its blocks that a third of the power could not have withheld',
    unit: permille,
  },
  disputed_power: { words: 'of the power is in others’ blocks and hardly in its own', unit: permille },
  stale_blocks: { words: 'blocks since its last telemetry' },
  overload_cpu: { words: 'of its processors in use', unit: percent },
  overload_latency_ms: { words: 'of latency', unit: latency },
}

/** A line for each figure that is a cause, or carries more. */
export const causesIn = (figures: readonly Evidence[]): string[] =>
  figures.flatMap(({ reason, figure, value, causeFrom, heavyFrom, banFrom }) => {
    const reached = (from: number): boolean => from > 0 && value >= from
    if (![causeFrom, heavyFrom, banFrom].some(reached)) return []
    const { words, unit = String } = FIGURES[figure] ?? { words: figure }
    const limits = [
      ...(causeFrom > 0 ? [`a cause from ${unit(causeFrom)}`] : []),
      ...(heavyFrom > 0 ? [`carries 70 % from ${unit(heavyFrom)}`] : []),
      ...(banFrom > 0 ? [`80 % from ${unit(banFrom)}`] : []),
    ]
    return [`${reason}: ${unit(value)} ${words} (${limits.join(', ')})`]
  })

/** How a validator comes back from a penalty; of one out of the set for another cause `absence` tells more. */
export function wayBack({ banned, pool, standing }: QueryStandingResponse, height: bigint): string {
  const { jailedUntil, horizonUntil } = standing
  if (banned) return 'a governance proposal with MsgLiftBan, then `fornaxd tx slashing unjail`'
  if (jailedUntil > height)
    return `in jail until height ${jailedUntil}; then \`fornaxd tx slashing unjail\`, and Horizon for a while`
  if (horizonUntil <= height) return 'nothing to come back from'
  const counted = `; counted as ${pool} meanwhile, as less than 2/3 of the power are in good standing and so all of the set count`
  return `in Horizon until height ${horizonUntil}, longer while there is a cause; it ends by itself${pool === 'Horizon' ? '' : counted}`
}

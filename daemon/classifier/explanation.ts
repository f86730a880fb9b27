import { FEATURES, type FeatureName } from '../../modules/classifier/api.ts'
import type { Engine } from './engine.ts'

type Values = Readonly<Record<FeatureName, number>>

interface Group {
  readonly name: string
  readonly features: readonly FeatureName[]
  readonly words: (of: Values) => string
}

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`

/** Features that a validator is scored for, the gravest first. The others (effective size, …) are circumstances. */
const GROUPS: readonly Group[] = [
  {
    name: 'evidence',
    features: ['evidence'],
    words: (of) => `${of.evidence} pieces of evidence of double votes or attacks on light clients`,
  },
  {
    name: 'reports',
    features: ['deviant', 'disagreement', 'disagreement_long'],
    words: (of) =>
      `of the last 64 reports ${of.deviant} were unusable, ${of.disagreement} far from what the others agreed on (${percent(of.disagreement_long, 65_536)} over about 1,024 blocks)`,
  },
  {
    name: 'votes',
    features: ['lost', 'lost_long', 'lost_streak', 'missed', 'nil', 'missed_long'],
    words: (of) =>
      `missed ${of.missed} and gave ${of.nil} for nil of the last 64 votes (${of.lost_streak} in a row, ${percent(of.missed_long, 65_536)} over about 2,048 blocks); others missed ${(of.others_missed / 16).toFixed(1)}; beyond what a third of the power could have made up: ${of.lost} of 512, ${percent(of.lost_long, 65_536)} over about 2,048 blocks`,
  },
  {
    name: 'proposals',
    features: ['turns_missed'],
    words: (of) => `${(of.turns_missed / 256).toFixed(1)} turns to propose missed while it voted`,
  },
  {
    name: 'omissions',
    features: ['omissions'],
    words: (of) =>
      `left out ${(of.omissions / 10).toFixed(1)} % of the votes in its own blocks; all blocks: ${(of.network_omissions / 10).toFixed(1)} %`,
  },
  {
    name: 'telemetry',
    features: ['cpu', 'latency', 'connections', 'net_contrib', 'telemetry_age'],
    words: (of) =>
      `processor ${of.cpu / 100} %, latency ${of.latency >= 10_000 ? '10 s or more' : `${of.latency} ms`}, connections ${(of.connections / 1000).toFixed(2)} and contribution ${(of.net_contrib / 1000).toFixed(2)} times the median, told ${of.telemetry_age} blocks ago`,
  },
]

/** Values that nobody is blamed for. */
const BLAMELESS: Partial<Values> = { cpu: 3_000, latency: 100, connections: 1_000, net_contrib: 1_000 }

export interface Contribution {
  readonly group: string
  readonly words: string
  /** By how much the score falls where this group is blameless, in 1/10,000, or rises where it is negative; gates make these not add up. */
  readonly points: number
}

export interface Explanation {
  readonly score: number
  readonly contributions: readonly Contribution[]
}

/** Asks the model again with each group of features blameless, all else being equal. */
export async function explain(engine: Engine, features: Values): Promise<Explanation> {
  const row = (of: Values): number[] => FEATURES.map(([name]) => of[name])
  const without = GROUPS.map((group) => ({
    ...features,
    ...Object.fromEntries(group.features.map((name) => [name, BLAMELESS[name] ?? 0])),
  }))
  const [score = 0, ...others] = await engine.scores([features, ...without].map(row))
  return {
    score,
    contributions: GROUPS.map((group, i) => ({
      group: group.name,
      words: group.words(features),
      points: score - others[i]!,
    })),
  }
}

import type { Random } from '../random.ts'

/** When a part of a strategy is in force. */
export const OCCASIONS = [
  'always',
  'victim proposes next',
  'victim proposes',
  'victim does not propose next',
  'gang proposes next',
  'gang proposes',
  'honest propose next',
  'victim is away',
  'victim came back',
] as const
export type Occasion = (typeof OCCASIONS)[number]

export const VOTES = ['commit', 'nil', 'absent'] as const
export const REPORTS = [
  'honest',
  'frame',
  'boast',
  'frame and boast',
  'all',
  'invert',
  'within tolerance',
  'beyond tolerance',
  'straddle',
  'copy',
  'empty',
  'other model',
  'other length',
] as const
/** Whose votes or reports a member leaves out of its own blocks, as far as CometBFT lets it. */
export const LEFT_OUT = [
  'nobody',
  'victim',
  'victim and strongest',
  'victim and weakest',
  'strongest honest',
  'weakest honest',
  'some honest',
  'gang',
] as const
/** Which members a part of a strategy is for. */
export const MEMBERS = ['all', 'one', 'half', 'other half', 'in turn'] as const
export const VICTIMS = ['strongest', 'weakest', 'busy', 'restarting', 'any'] as const
export const TELEMETRY = ['honest', 'none', 'zeros', 'extremes', 'changing'] as const

/** Periods of duty cycles, in blocks. */
const PERIODS = [1, 2, 3, 5, 8, 16, 32, 64, 65, 128] as const

/** How many values each gene has. */
const GENES = {
  victim: VICTIMS.length,
  anyVictim: 256,
  vote: VOTES.length,
  voteWhen: OCCASIONS.length,
  voteWho: MEMBERS.length,
  votePeriod: PERIODS.length,
  voteDuty: 16,
  otherVote: VOTES.length,
  otherVoteWhen: OCCASIONS.length,
  otherVoteWho: MEMBERS.length,
  otherVotePeriod: PERIODS.length,
  otherVoteDuty: 16,
  report: REPORTS.length,
  reportWhen: OCCASIONS.length,
  reportWho: MEMBERS.length,
  reportPeriod: PERIODS.length,
  reportDuty: 16,
  reportScore: 101,
  otherReport: REPORTS.length,
  otherReportWhen: OCCASIONS.length,
  otherReportWho: MEMBERS.length,
  otherReportPeriod: PERIODS.length,
  otherReportDuty: 16,
  dropVotes: LEFT_OUT.length,
  dropVotesWhen: OCCASIONS.length,
  dropVotesPeriod: PERIODS.length,
  dropVotesDuty: 16,
  dropReports: LEFT_OUT.length,
  dropReportsWhen: OCCASIONS.length,
  dropReportsPeriod: PERIODS.length,
  dropReportsDuty: 16,
  /** Of 16 own turns, those without a proposal. */
  idleTurns: 16,
  /** Whether it withholds what a victim's round needs where honest ones are away. */
  stalls: 2,
  telemetry: TELEMETRY.length,
  comesBack: 2,
  /** 32nds of the play after which a member votes twice; 32 for never. */
  equivocates: 64,
  begins: 8,
} as const

export type Gene = keyof typeof GENES
export type Strategy = Readonly<Record<Gene, number>>

const names = Object.keys(GENES) as Gene[]

export const anyStrategy = (random: Random): Strategy =>
  Object.fromEntries(names.map((name) => [name, random(GENES[name])])) as Record<Gene, number>

/** That of a gang without members. */
export const NO_STRATEGY: Strategy = Object.fromEntries(names.map((name) => [name, 0])) as Record<
  Gene,
  number
>

/** One to four genes drawn anew, or moved by one. */
export function mutated(strategy: Strategy, random: Random): Strategy {
  const next: Record<Gene, number> = { ...strategy }
  for (let left = 1 + random(4); left > 0; left--) {
    const name = names[random(names.length)]!
    const values = GENES[name]
    next[name] = random(2) === 0 ? random(values) : (next[name] + (random(2) === 0 ? 1 : values - 1)) % values
  }
  return next
}

/** Each gene of one of two. */
export const crossed = (a: Strategy, b: Strategy, random: Random): Strategy =>
  Object.fromEntries(names.map((name) => [name, (random(2) === 0 ? a : b)[name]])) as Record<Gene, number>

/** Whether a duty cycle is on in a block of a play. */
export function isOnDuty(block: number, period: number, duty: number): boolean {
  const blocks = PERIODS[period]!
  return block % blocks < Math.max(1, Math.ceil((blocks * (duty + 1)) / 16))
}

/** Whether member `i` of so many is among those that a part of a strategy is for. */
export function isAmong(who: number, i: number, members: number, block: number): boolean {
  const group = MEMBERS[who]!
  if (group === 'all' || members === 1) return true
  if (group === 'one') return i === 0
  if (group === 'in turn') return i === block % members
  return i % 2 === (group === 'half' ? 0 : 1)
}

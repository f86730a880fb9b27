import type { Context } from '../../core/context.ts'
import { DECIMAL_ONE } from '../../core/decimal-text.ts'
import { sdk } from '../../core/error.ts'
import type { Params } from '../../proto/gen/fornax/agents/v1/agents.ts'
import * as state from './state.ts'

/** `numerator` of `denominator` in atomics. */
const fraction = (numerator: bigint, denominator: bigint): string =>
  ((DECIMAL_ONE * numerator) / denominator).toString()

export const defaultParams = (): Params => ({
  zenithSize: 0,
  banHits: 3,
  banWindow: 5,
  capWindow: 17_280n,
  horizonBlocks: 120n,
  jailBlocks: 120n,
  heavySlashFraction: fraction(1n, 10_000n),
  banSlashFraction: fraction(1n, 20n),
  invalidExtensions: 8,
  disagreements: 8,
  missedVotes: 16,
  missedTurns: 512,
  staleBlocks: 120,
  overloadCpu: 9_500,
  overloadLatencyMs: 2_000,
  freezePermille: 100,
  longMissedVotes: 32,
  omissions: 50,
  heavyDisagreements: 10,
  heavyInvalidExtensions: 65,
  heavyMissedVotes: 192,
  heavyMissedTurns: 1_536,
  banJails: 3,
  jailWindow: 17_280n,
  disputePause: 1_440n,
  heavyMissedRate: 125,
  heavyDisagreementRate: 70,
})

export const params = (ctx: Context): Readonly<Params> => state.params.get(ctx) ?? defaultParams()

/** Least and most of each number. */
const BOUNDS = [
  ['zenithSize', 0, 1_000],
  ['banHits', 1, 32],
  ['banWindow', 1, 32],
  ['capWindow', 1, 10_000_000],
  ['horizonBlocks', 1, 1_000_000],
  // Shorter, a validator would come back to the record that it left; a week is less than stake takes to unbond.
  ['jailBlocks', 20, 120_960],
  ['invalidExtensions', 1, 64],
  ['disagreements', 1, 64],
  ['missedVotes', 1, 64],
  ['missedTurns', 256, 4_096],
  ['staleBlocks', 1, 1_024],
  // Beyond what a feature can be: never.
  ['overloadCpu', 1, 10_001],
  ['overloadLatencyMs', 1, 10_001],
  ['freezePermille', 1, 1_000],
  ['longMissedVotes', 1, 512],
  ['omissions', 1, 1_000],
  // Beyond what there can be: never.
  ['heavyDisagreements', 1, 65],
  ['heavyInvalidExtensions', 1, 65],
  ['heavyMissedVotes', 1, 513],
  ['heavyMissedTurns', 256, 4_097],
  ['banJails', 1, 32],
  ['jailWindow', 1, 10_000_000],
  ['disputePause', 1, 1_000_000],
  ['heavyMissedRate', 1, 1_001],
  ['heavyDisagreementRate', 1, 1_001],
] as const

/** Throws sdk/18 with the parameter that is out of bounds. */
export function checkParams(p: Params): void {
  for (const [name, least, most] of BOUNDS) {
    const value = BigInt(p[name])
    if (value < BigInt(least) || value > BigInt(most))
      throw sdk.invalidRequest(`${name} is ${least} to ${most}, got ${value}`)
  }
  if (p.banHits > p.banWindow)
    throw sdk.invalidRequest(`banHits is at most banWindow (${p.banWindow}), got ${p.banHits}`)
  for (const name of ['heavySlashFraction', 'banSlashFraction'] as const) {
    const value = BigInt(p[name] === '' ? '0' : p[name])
    if (value < 0n || value > DECIMAL_ONE) throw sdk.invalidRequest(`${name} is 0 to 1`)
  }
}

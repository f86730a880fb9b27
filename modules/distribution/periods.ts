import type {
  ValidatorCurrentRewards,
  ValidatorHistoricalRewards,
} from 'cosmjs-types/cosmos/distribution/v1beta1/distribution'
import type { Address } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import type { Dec } from '../../core/dec.ts'
import * as dec from '../../core/dec.ts'
import { addDecCoins, type DecCoin, quoDecTruncate, subDecCoins } from '../../core/dec-coins.ts'
import { panic } from '../../core/error.ts'
import { requireValidator, tokensOf } from '../staking/api.ts'
import { addToCommunityPool } from './community-pool.ts'
import * as state from './state.ts'

/** A validator, a delegation and a slash may count on one period's end; more is a fault. */
const MAX_REFERENCES = 3

/** The rewards that a validator and its delegators have not withdrawn yet. */
export const outstandingOf = (ctx: Context, operator: Address): DecCoin[] =>
  state.outstanding.get(ctx, operator)?.rewards ?? []

/** The validator's own part that it has not withdrawn yet. */
export const commissionOf = (ctx: Context, operator: Address): DecCoin[] =>
  state.commissions.get(ctx, operator)?.commission ?? []

export const currentOf = (ctx: Context, operator: Address): ValidatorCurrentRewards =>
  state.current.get(ctx, operator) ?? { rewards: [], period: 0n }

export const historicalOf = (ctx: Context, operator: Address, period: bigint): ValidatorHistoricalRewards =>
  state.historical.get(ctx, [operator, period]) ?? { cumulativeRewardRatio: [], referenceCount: 0 }

/** Begins a validator's first period. */
export function initializeValidator(ctx: Context, operator: Address): void {
  state.historical.set(ctx, [operator, 0n], { cumulativeRewardRatio: [], referenceCount: 1 })
  state.current.set(ctx, operator, { rewards: [], period: 1n })
  state.commissions.set(ctx, operator, { commission: [] })
  state.outstanding.set(ctx, operator, { rewards: [] })
}

/** Ends the validator's period, begins the next and answers the number of the one ended. Throws staking/3. */
export function endPeriod(ctx: Context, operator: Address): bigint {
  const tokens = tokensOf(requireValidator(ctx, operator))
  const { rewards, period } = currentOf(ctx, operator)
  let ratio: DecCoin[] = []
  if (tokens > 0n) ratio = quoDecTruncate(rewards, dec.fromInt(tokens))
  else if (rewards.length > 0) {
    // Nobody has a token to be rewarded for.
    addToCommunityPool(ctx, rewards)
    state.outstanding.set(ctx, operator, { rewards: subDecCoins(outstandingOf(ctx, operator), rewards) })
  }
  const { cumulativeRewardRatio } = historicalOf(ctx, operator, period - 1n)
  releasePeriod(ctx, operator, period - 1n)
  state.historical.set(ctx, [operator, period], {
    cumulativeRewardRatio: addDecCoins(cumulativeRewardRatio, ratio),
    referenceCount: 1,
  })
  state.current.set(ctx, operator, { rewards: [], period: period + 1n })
  return period
}

/** Keeps a period's end for one more who counts on it. */
export function holdPeriod(ctx: Context, operator: Address, period: bigint): void {
  const kept = historicalOf(ctx, operator, period)
  if (kept.referenceCount >= MAX_REFERENCES) throw panic('reference count should never exceed 2')
  state.historical.set(ctx, [operator, period], { ...kept, referenceCount: kept.referenceCount + 1 })
}

/** Gives a period's end up; it goes with the last who counts on it. */
export function releasePeriod(ctx: Context, operator: Address, period: bigint): void {
  const kept = historicalOf(ctx, operator, period)
  if (kept.referenceCount === 0) throw panic('cannot set negative reference count')
  if (kept.referenceCount === 1) state.historical.delete(ctx, [operator, period])
  else state.historical.set(ctx, [operator, period], { ...kept, referenceCount: kept.referenceCount - 1 })
}

/** Ends the period before `fraction` of the tokens is burned, since each token's stake changes with it. */
export function recordSlash(ctx: Context, operator: Address, fraction: Dec): void {
  if (fraction > dec.ONE || fraction < 0n) throw panic('fraction must be >=0 and <=1')
  const period = endPeriod(ctx, operator)
  holdPeriod(ctx, operator, period)
  state.slashEvents.set(ctx, [operator, ctx.height, period], {
    validatorPeriod: period,
    fraction: fraction.toString(),
  })
}

import type { Delegation } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import type { Address } from '../../core/address.ts'
import { uint64BigEndian } from '../../core/bytes.ts'
import { addressKey, part } from '../../core/collections.ts'
import type { Context } from '../../core/context.ts'
import type { Dec } from '../../core/dec.ts'
import * as dec from '../../core/dec.ts'
import { addDecCoins, type DecCoin, mulDecTruncate, subDecCoins } from '../../core/dec-coins.ts'
import { panic } from '../../core/error.ts'
import {
  delegation,
  requireValidator,
  sharesOf,
  tokensFromShares,
  tokensFromSharesTruncated,
} from '../staking/api.ts'
import { stakingError } from '../staking/errors.ts'
import { distributionError } from './errors.ts'
import { currentOf, endPeriod, historicalOf, holdPeriod } from './periods.ts'
import * as state from './state.ts'

/** Throws staking/19. */
export function requireDelegation(ctx: Context, delegator: Address, operator: Address): Delegation {
  const held = delegation(ctx, delegator, operator)
  if (held === undefined) throw stakingError.noDelegation()
  return held
}

/** A delegation earns from the end of the last period on, with the stake it has now. */
export function beginEarning(ctx: Context, delegator: Address, operator: Address): void {
  const previousPeriod = currentOf(ctx, operator).period - 1n
  holdPeriod(ctx, operator, previousPeriod)
  const shares = sharesOf(requireDelegation(ctx, delegator, operator))
  state.startingInfos.set(ctx, [operator, delegator], {
    previousPeriod,
    stake: tokensFromSharesTruncated(requireValidator(ctx, operator), shares).toString(),
    height: ctx.height,
  })
}

/** The rewards of `stake` between the ends of two periods without a slash between them. */
function rewardsBetween(ctx: Context, operator: Address, from: bigint, to: bigint, stake: Dec): DecCoin[] {
  if (from > to) throw panic('startingPeriod cannot be greater than endingPeriod')
  if (stake < 0n) throw panic('stake should not be negative')
  const ratio = subDecCoins(
    historicalOf(ctx, operator, to).cumulativeRewardRatio,
    historicalOf(ctx, operator, from).cumulativeRewardRatio,
  )
  return mulDecTruncate(ratio, stake)
}

function* slashesBetween(ctx: Context, operator: Address, from: bigint, to: bigint) {
  const range = { from: uint64BigEndian(from) }
  for (const [[, height], event] of state.slashEvents.entries(ctx, part(addressKey, operator), range)) {
    if (height > to) return
    yield event
  }
}

/** The rewards of a delegation up to the end of `endingPeriod`. Throws distribution/5, staking/3, staking/19. */
export function rewardsUntil(
  ctx: Context,
  delegator: Address,
  operator: Address,
  endingPeriod: bigint,
): DecCoin[] {
  const info = state.startingInfos.get(ctx, [operator, delegator])
  if (info === undefined) throw distributionError.noDelegationInfo()
  if (info.height === ctx.height) return []
  let rewards: DecCoin[] = []
  let stake = BigInt(info.stake)
  let period = info.previousPeriod
  if (ctx.height > info.height)
    for (const { validatorPeriod, fraction } of slashesBetween(ctx, operator, info.height, ctx.height)) {
      if (validatorPeriod <= period) continue
      rewards = addDecCoins(rewards, rewardsBetween(ctx, operator, period, validatorPeriod, stake))
      stake = dec.mulTruncate(stake, dec.ONE - BigInt(fraction))
      period = validatorPeriod
    }
  const shares = sharesOf(requireDelegation(ctx, delegator, operator))
  const currentStake = tokensFromShares(requireValidator(ctx, operator), shares)
  // Undelegations round in favour of who leaves, so that others can be made to have less than was reckoned slash by slash.
  // The SDK panics where it is more than 3 units; a slash, which settles rewards, would end every node.
  stake = dec.min(stake, currentStake)
  return addDecCoins(rewards, rewardsBetween(ctx, operator, period, endingPeriod, stake))
}

/** The rewards that a delegation could withdraw now; the state stays as it is. Throws distribution/5, staking/3, staking/19. */
export function pendingRewards(ctx: Context, delegator: Address, operator: Address): DecCoin[] {
  ctx.journal.checkpoint()
  try {
    return rewardsUntil(ctx, delegator, operator, endPeriod(ctx, operator))
  } finally {
    ctx.journal.revert()
  }
}

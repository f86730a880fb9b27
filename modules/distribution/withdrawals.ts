import { type Address, formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { type Coin, formatCoins } from '../../core/coin.ts'
import type { Context } from '../../core/context.ts'
import { decCoinsOf, intersectDecCoins, subDecCoins, truncateDecCoins } from '../../core/dec-coins.ts'
import { requireMayReceive } from '../bank/api.ts'
import { requireValidator, params as stakingParams } from '../staking/api.ts'
import { addToCommunityPool, payOut } from './community-pool.ts'
import { beginEarning, requireDelegation, rewardsUntil } from './delegation-rewards.ts'
import { distributionError } from './errors.ts'
import { params } from './params.ts'
import { commissionOf, endPeriod, outstandingOf, releasePeriod } from './periods.ts'
import * as state from './state.ts'

export const withdrawAddressOf = (ctx: Context, delegator: Address): Address =>
  state.withdrawAddresses.get(ctx, delegator) ?? delegator

/** Throws sdk/4 where the address is a module's, distribution/8. */
export function setWithdrawAddress(ctx: Context, delegator: Address, to: Address): void {
  requireMayReceive(ctx, to)
  if (!params(ctx).withdrawAddrEnabled) throw distributionError.withdrawAddressDisabled()
  ctx.emit('set_withdraw_address', { withdraw_address: formatAddress(to) })
  state.withdrawAddresses.set(ctx, delegator, to)
}

/**
 * Pays out what a delegation earned, for good: whole coins, the rest goes to the community. The delegation has to begin
 * earning anew, or to go. Throws distribution/5, staking/3, staking/19.
 */
export function settleRewards(ctx: Context, delegator: Address, operator: Address): Coin[] {
  const info = state.startingInfos.get(ctx, [operator, delegator])
  if (info === undefined) throw distributionError.noDelegationInfo()
  const earned = rewardsUntil(ctx, delegator, operator, endPeriod(ctx, operator))
  const outstanding = outstandingOf(ctx, operator)
  const rewards = intersectDecCoins(earned, outstanding)
  const [coins, remainder] = truncateDecCoins(rewards)
  if (coins.length > 0) payOut(ctx, withdrawAddressOf(ctx, delegator), coins)
  state.outstanding.set(ctx, operator, { rewards: subDecCoins(outstanding, rewards) })
  addToCommunityPool(ctx, remainder)
  releasePeriod(ctx, operator, info.previousPeriod)
  state.startingInfos.delete(ctx, [operator, delegator])
  const paid = coins.length > 0 ? coins : [{ denom: stakingParams(ctx).bondDenom, amount: '0' }]
  ctx.emit('withdraw_rewards', {
    amount: formatCoins(paid),
    validator: formatAddress(operator, VALIDATOR_PREFIX),
    delegator: formatAddress(delegator),
  })
  return paid
}

/** Pays out what a delegation earned so far; zero coins of the bond denomination where it is nothing. Throws staking/3, staking/19. */
export function withdrawRewards(ctx: Context, delegator: Address, operator: Address): Coin[] {
  requireValidator(ctx, operator)
  requireDelegation(ctx, delegator, operator)
  const paid = settleRewards(ctx, delegator, operator)
  beginEarning(ctx, delegator, operator)
  return paid
}

/** Pays out a validator's commission in whole coins; the rest is left for later. Throws distribution/7. */
export function withdrawCommission(ctx: Context, operator: Address): Coin[] {
  const commission = commissionOf(ctx, operator)
  if (commission.length === 0) throw distributionError.noCommission()
  const [coins, remainder] = truncateDecCoins(commission)
  state.commissions.set(ctx, operator, { commission: remainder })
  state.outstanding.set(ctx, operator, {
    rewards: subDecCoins(outstandingOf(ctx, operator), decCoinsOf(coins)),
  })
  if (coins.length > 0) payOut(ctx, withdrawAddressOf(ctx, operator), coins)
  ctx.emit('withdraw_commission', { amount: formatCoins(coins) })
  return coins
}

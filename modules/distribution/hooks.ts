import type { Address } from '../../core/address.ts'
import { addressKey, part } from '../../core/collections.ts'
import type { Context } from '../../core/context.ts'
import { subDecCoins, truncateDecCoins } from '../../core/dec-coins.ts'
import type { StakingHooks } from '../staking/hooks.ts'
import { addToCommunityPool, payOut } from './community-pool.ts'
import { beginEarning } from './delegation-rewards.ts'
import { commissionOf, endPeriod, initializeValidator, outstandingOf, recordSlash } from './periods.ts'
import * as state from './state.ts'
import { settleRewards, withdrawAddressOf } from './withdrawals.ts'

/** Pays out the commission of a validator that goes; what is left of its rewards is the community's. */
function closeValidator(ctx: Context, operator: Address): void {
  const commission = commissionOf(ctx, operator)
  const [coins, remainder] = truncateDecCoins(commission)
  addToCommunityPool(ctx, remainder)
  if (coins.length > 0) payOut(ctx, withdrawAddressOf(ctx, operator), coins)
  addToCommunityPool(ctx, subDecCoins(outstandingOf(ctx, operator), commission))
  state.outstanding.delete(ctx, operator)
  state.commissions.delete(ctx, operator)
  const ofValidator = part(addressKey, operator)
  for (const [key] of [...state.slashEvents.entries(ctx, ofValidator)]) state.slashEvents.delete(ctx, key)
  for (const [key] of [...state.historical.entries(ctx, ofValidator)]) state.historical.delete(ctx, key)
  state.current.delete(ctx, operator)
}

export const distributionStakingHooks: StakingHooks = {
  afterValidatorCreated: initializeValidator,
  afterValidatorRemoved: (ctx, _consensus, operator) => closeValidator(ctx, operator),
  beforeDelegationCreated(ctx, _delegator, operator) {
    endPeriod(ctx, operator)
  },
  beforeDelegationSharesModified(ctx, delegator, operator) {
    settleRewards(ctx, delegator, operator)
  },
  afterDelegationModified: beginEarning,
  beforeValidatorSlashed: recordSlash,
}

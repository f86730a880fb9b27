import type { Context } from '../../core/context.ts'
import { allDelegations, allValidators } from '../staking/api.ts'
import { addToCommunityPool } from './community-pool.ts'
import { beginEarning } from './delegation-rewards.ts'
import { commissionOf, endPeriod, initializeValidator, outstandingOf } from './periods.ts'
import * as state from './state.ts'
import { withdrawCommission, withdrawRewards } from './withdrawals.ts'

/**
 * For an export that starts again at height zero: pays out all commission and rewards, gives what rounding left of them
 * to the community, and begins every validator's and delegation's account anew.
 */
export function prepareForZeroHeight(ctx: Context): void {
  const delegations = [...allDelegations(ctx)].map(([key]) => key)
  const operators = [...allValidators(ctx)].map(([operator]) => operator)
  for (const operator of operators)
    if (commissionOf(ctx, operator).length > 0) withdrawCommission(ctx, operator)
  for (const [delegator, operator] of delegations) withdrawRewards(ctx, delegator, operator)
  for (const [key] of [...state.slashEvents.entries(ctx)]) state.slashEvents.delete(ctx, key)
  for (const [key] of [...state.historical.entries(ctx)]) state.historical.delete(ctx, key)
  const atZero = ctx.atHeight(0n)
  for (const operator of operators) {
    addToCommunityPool(atZero, outstandingOf(atZero, operator))
    initializeValidator(atZero, operator)
  }
  for (const [delegator, operator] of delegations) {
    endPeriod(atZero, operator)
    beginEarning(atZero, delegator, operator)
  }
}

import { moduleAddress } from '../../core/address.ts'
import { formatCoins } from '../../core/coin.ts'
import type { Context } from '../../core/context.ts'
import { isAnyNegative, sumDecCoins, truncateDecCoins } from '../../core/dec-coins.ts'
import { ChainError } from '../../core/error.ts'
import { balancesOf } from '../bank/api.ts'
import { allDelegations, allValidators } from '../staking/api.ts'
import { ACCOUNT, communityPool } from './community-pool.ts'
import { commissionOf } from './periods.ts'
import * as state from './state.ts'
import { withdrawCommission, withdrawRewards } from './withdrawals.ts'

function outstandingIsNotNegative(ctx: Context): string | undefined {
  for (const [, { rewards }] of state.outstanding.entries(ctx))
    if (isAnyNegative(rewards)) return 'a validator has negative outstanding rewards'
  return undefined
}

/** Nothing is left owing when all commission and all rewards are withdrawn; tried, and taken back. */
function allCanBeWithdrawn(ctx: Context): string | undefined {
  ctx.journal.checkpoint()
  try {
    for (const [operator] of [...allValidators(ctx)])
      if (commissionOf(ctx, operator).length > 0) withdrawCommission(ctx, operator)
    for (const [[delegator, operator]] of [...allDelegations(ctx)]) withdrawRewards(ctx, delegator, operator)
    return outstandingIsNotNegative(ctx)
  } catch (error) {
    if (error instanceof ChainError) return `not everything can be withdrawn: ${error.message}`
    throw error
  } finally {
    ctx.journal.revert()
  }
}

const count = (entries: Iterable<unknown>): number => [...entries].length

/** Each validator, each delegation and each slash counts on the end of one period. */
function referencesAreCounted(ctx: Context): string | undefined {
  const expected =
    count(allValidators(ctx)) + count(allDelegations(ctx)) + count(state.slashEvents.entries(ctx))
  let references = 0
  for (const [, { referenceCount }] of state.historical.entries(ctx)) references += referenceCount
  return references === expected ? undefined : `${references} references to periods instead of ${expected}`
}

function accountHoldsWhatIsOwed(ctx: Context): string | undefined {
  const owed = [...state.outstanding.entries(ctx)].map(([, { rewards }]) => rewards)
  const [expected] = truncateDecCoins(sumDecCoins([communityPool(ctx), ...owed]))
  const held = balancesOf(ctx, moduleAddress(ACCOUNT))
  if (formatCoins(held) === formatCoins(expected)) return undefined
  return `the account holds ${formatCoins(held)}, it owes ${formatCoins(expected)}`
}

export const invariants = {
  outstandingIsNotNegative,
  allCanBeWithdrawn,
  referencesAreCounted,
  accountHoldsWhatIsOwed,
}

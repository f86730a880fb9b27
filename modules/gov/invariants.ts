import { moduleAddress } from '../../core/address.ts'
import { coverCoins, formatCoins, sumCoins } from '../../core/coin.ts'
import type { Context } from '../../core/context.ts'
import { nanosecondsOf } from '../../core/time.ts'
import { balancesOf } from '../bank/api.ts'
import { GOV } from './deposits.ts'
import { isInDepositPeriod, isInVotingPeriod } from './proposals.ts'
import * as state from './state.ts'

/** Anybody may send the account more. */
function accountHoldsDeposits(ctx: Context): string | undefined {
  const deposits = sumCoins([...state.deposits.entries(ctx)].map(([, d]) => d.amount))
  const held = balancesOf(ctx, moduleAddress(GOV))
  return coverCoins(held, deposits)
    ? undefined
    : `gov holds ${formatCoins(held)}, its deposits are ${formatCoins(deposits)}`
}

function queuesMatchStatuses(ctx: Context): string | undefined {
  let inactive = 0
  let active = 0
  for (const [id, p] of state.proposals.entries(ctx)) {
    if (isInDepositPeriod(p)) {
      inactive++
      if (!state.inactiveQueue.has(ctx, [nanosecondsOf(p.depositEndTime!), id]))
        return `proposal ${id} gathers deposits and is not queued`
    }
    if (isInVotingPeriod(p)) {
      active++
      if (!state.activeQueue.has(ctx, [nanosecondsOf(p.votingEndTime!), id]))
        return `proposal ${id} is voted on and is not queued`
    }
    if (isInVotingPeriod(p) !== state.inVotingPeriod.has(ctx, id))
      return `proposal ${id} is not in the set of those voted on as its status says`
  }
  const queued = [[...state.inactiveQueue.entries(ctx)].length, [...state.activeQueue.entries(ctx)].length]
  return queued[0] === inactive && queued[1] === active
    ? undefined
    : `${queued.join(' and ')} proposals queued instead of ${inactive} and ${active}`
}

export const invariants = { accountHoldsDeposits, queuesMatchStatuses }

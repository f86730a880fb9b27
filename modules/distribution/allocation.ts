import type { Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { moduleAddress } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import * as dec from '../../core/dec.ts'
import {
  addDecCoins,
  type DecCoin,
  decCoinsOf,
  formatDecCoins,
  mulDec,
  mulDecTruncate,
  subDecCoins,
} from '../../core/dec-coins.ts'
import { FEE_COLLECTOR } from '../auth/api.ts'
import { balancesOf, transferToModule } from '../bank/api.ts'
import { operatorOf, validatorByConsensusAddress } from '../staking/api.ts'
import { ACCOUNT, addToCommunityPool } from './community-pool.ts'
import { params } from './params.ts'
import { commissionOf, currentOf, outstandingOf } from './periods.ts'
import * as state from './state.ts'

/** Shares out the fees of the last block, and notes this block's proposer. */
export function beginBlock(ctx: Context): void {
  if (ctx.height > 1n) allocateFees(ctx)
  state.previousProposer.set(ctx, ctx.block.proposer)
}

/** To the validators by the power of their votes, present or not; the tax and what rounding leaves to the community. */
function allocateFees(ctx: Context): void {
  const { votes } = ctx.block
  const collector = moduleAddress(FEE_COLLECTOR)
  const coins = balancesOf(ctx, collector)
  const fees = decCoinsOf(coins)
  transferToModule(ctx, collector, ACCOUNT, coins)
  const totalPower = votes.reduce((sum, { power }) => sum + power, 0n)
  const shared = mulDecTruncate(fees, dec.ONE - BigInt(params(ctx).communityTax))
  let remaining = fees
  for (const { address, power } of votes) {
    const v = validatorByConsensusAddress(ctx, address)
    // A validator that has just left the set may be gone before its last votes come.
    if (v === undefined || totalPower === 0n) continue
    const reward = mulDecTruncate(shared, dec.quoTruncate(dec.fromInt(power), dec.fromInt(totalPower)))
    allocateToValidator(ctx, v, reward)
    remaining = subDecCoins(remaining, reward)
  }
  addToCommunityPool(ctx, remaining)
}

/** Shares out coins that the module's account holds between a validator and its delegators, by its commission. */
export function allocateToValidator(ctx: Context, v: Validator, coins: readonly DecCoin[]): void {
  const operator = operatorOf(v)
  const validator = v.operatorAddress
  const commission = mulDec(coins, BigInt(v.commission.commissionRates.rate))
  const shared = subDecCoins(coins, commission)
  ctx.emit('commission', { amount: formatDecCoins(commission), validator })
  ctx.emit('rewards', { amount: formatDecCoins(coins), validator })
  if (coins.length === 0) return
  state.commissions.set(ctx, operator, { commission: addDecCoins(commissionOf(ctx, operator), commission) })
  const { rewards, period } = currentOf(ctx, operator)
  state.current.set(ctx, operator, { rewards: addDecCoins(rewards, shared), period })
  state.outstanding.set(ctx, operator, { rewards: addDecCoins(outstandingOf(ctx, operator), coins) })
}

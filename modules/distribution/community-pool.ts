import { type Address, moduleAddress } from '../../core/address.ts'
import type { Coin } from '../../core/coin.ts'
import type { Context } from '../../core/context.ts'
import { addDecCoins, type DecCoin, decCoinsOf, trySubDecCoins } from '../../core/dec-coins.ts'
import { requireMayReceive, transfer, transferToModule } from '../bank/api.ts'
import { distributionError } from './errors.ts'
import * as state from './state.ts'

/** The module's account, which holds all rewards that are not withdrawn and the community pool. */
export const ACCOUNT = 'distribution'

export const communityPool = (ctx: Context): DecCoin[] => state.feePool.get(ctx)?.communityPool ?? []

/** Counts coins that the module's account holds as the community's. */
export function addToCommunityPool(ctx: Context, coins: readonly DecCoin[]): void {
  if (coins.length > 0) state.feePool.set(ctx, { communityPool: addDecCoins(communityPool(ctx), coins) })
}

/** Pays out of the module's account. Throws sdk/4 where `to` is a module's account. */
export function payOut(ctx: Context, to: Address, coins: readonly Coin[]): void {
  requireMayReceive(ctx, to)
  transfer(ctx, moduleAddress(ACCOUNT), to, coins)
}

/** Throws sdk/5, sdk/10. */
export function fundCommunityPool(ctx: Context, from: Address, coins: readonly Coin[]): void {
  transferToModule(ctx, from, ACCOUNT, coins)
  addToCommunityPool(ctx, decCoinsOf(coins))
}

/** Throws distribution/9 where the pool has less, sdk/4. */
export function spendCommunityPool(ctx: Context, to: Address, coins: readonly Coin[]): void {
  const left = trySubDecCoins(communityPool(ctx), decCoinsOf(coins))
  if (left === undefined) throw distributionError.badDistribution()
  payOut(ctx, to, coins)
  state.feePool.set(ctx, { communityPool: left })
}

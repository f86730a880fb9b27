import { moduleAddress } from '../../core/address.ts'
import type { Coin } from '../../core/coin.ts'
import type { Context } from '../../core/context.ts'
import { balanceOf, burn, transferToModule } from '../bank/api.ts'
import { params } from './params.ts'

export const BONDED_POOL = 'bonded_tokens_pool'
export const NOT_BONDED_POOL = 'not_bonded_tokens_pool'
export type Pool = typeof BONDED_POOL | typeof NOT_BONDED_POOL

/** `amount` of the bond denomination; no coin at all where it is zero. */
export const bondCoins = (ctx: Context, amount: bigint): Coin[] =>
  amount === 0n ? [] : [{ denom: params(ctx).bondDenom, amount: amount.toString() }]

export const poolBalance = (ctx: Context, pool: Pool): bigint =>
  balanceOf(ctx, moduleAddress(pool), params(ctx).bondDenom)

export function moveBetweenPools(ctx: Context, from: Pool, to: Pool, amount: bigint): void {
  transferToModule(ctx, moduleAddress(from), to, bondCoins(ctx, amount))
}

export function burnFromPool(ctx: Context, pool: Pool, amount: bigint): void {
  if (amount > 0n) burn(ctx, pool, bondCoins(ctx, amount))
}

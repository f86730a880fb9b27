import type { Context } from '../../core/context.ts'
import * as state from './state.ts'

function supplyIsSumOfBalances(ctx: Context): string | undefined {
  const sums = new Map<string, bigint>()
  for (const [[, denom], amount] of state.balances.entries(ctx)) {
    if (amount <= 0n) return `a balance of ${amount}${denom}`
    sums.set(denom, (sums.get(denom) ?? 0n) + amount)
  }
  for (const [denom, supply] of state.supply.entries(ctx)) {
    if (sums.get(denom) !== supply)
      return `supply of ${denom} is ${supply}, balances sum to ${sums.get(denom) ?? 0n}`
    sums.delete(denom)
  }
  return sums.size === 0 ? undefined : `no supply of ${[...sums.keys()].join(', ')}`
}

function ownersMatchBalances(ctx: Context): string | undefined {
  let owners = 0
  let balances = 0
  for (const [[denom, owner]] of state.owners.entries(ctx)) {
    owners++
    if (!state.balances.has(ctx, [owner, denom])) return `an owner of ${denom} without a balance`
  }
  for (const _ of state.balances.entries(ctx)) balances++
  return owners === balances ? undefined : `${owners} owners, ${balances} balances`
}

export const invariants = { supplyIsSumOfBalances, ownersMatchBalances }

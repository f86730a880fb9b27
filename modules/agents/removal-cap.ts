import type { Address } from '../../core/address.ts'
import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import * as staking from '../staking/api.ts'
import { params } from './params.ts'
import * as state from './state.ts'

/** Forgets removals that are out of the window. */
export function forgetOldRemovals(ctx: Context): void {
  const { capWindow } = params(ctx)
  for (const [key] of [...state.removals.entries(ctx)]) {
    if (key[0] + capWindow > ctx.height) break
    state.removals.delete(ctx, key)
  }
}

/** Whether the agents may take this validator out: less than a third of the power in a window, and never the last. */
export function mayRemove(ctx: Context, operator: Address): boolean {
  let removed = 0n
  for (const [, { power }] of state.removals.entries(ctx)) removed += power
  const power = staking.lastPower(ctx, operator)
  const whole = staking.lastTotalPower(ctx) + removedAndGone(ctx)
  let standing = 0
  for (const v of staking.bondedValidatorsByPower(ctx)) if (!v.jailed) standing++
  return 3n * (removed + power) < whole && standing > 1
}

/** Power removed in the window that is not back in the set. */
function removedAndGone(ctx: Context): bigint {
  let gone = 0n
  for (const [[, operator], { power }] of state.removals.entries(ctx))
    if (staking.lastPower(ctx, operator) === 0n) gone += power
  return gone
}

export function noteRemoval(ctx: Context, operator: Address): void {
  state.removals.set(ctx, [ctx.height, operator], {
    height: ctx.height,
    node: formatAddress(operator, VALIDATOR_PREFIX),
    power: staking.lastPower(ctx, operator),
  })
}

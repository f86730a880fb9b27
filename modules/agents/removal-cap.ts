import type { Address } from '../../core/address.ts'
import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { toLatin1 } from '../../core/bytes.ts'
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

/**
 * Whether the agents may take this validator out: those that they took out in the window, each counted once however often
 * it came back, have less than a third of the power with it; and never the last.
 */
export function mayRemove(ctx: Context, operator: Address): boolean {
  // What was redelegated takes a walk over all of it, so it is asked for where it decides.
  const isBelowCap = staysBelowThird(ctx, operator, false) || staysBelowThird(ctx, operator, true)
  return isBelowCap && hasTwoStanding(ctx)
}

/** Stake that was redelegated away from a removed validator is another's now: with `moved` it counts there alone. */
function staysBelowThird(ctx: Context, operator: Address, moved: boolean): boolean {
  const powers = new Map<string, readonly [Address, bigint]>()
  const count = (who: Address, power: bigint): void => {
    const [, before] = powers.get(toLatin1(who)) ?? [who, 0n]
    powers.set(toLatin1(who), [who, power > before ? power : before])
  }
  for (const [[height, who], { power }] of state.removals.entries(ctx)) {
    const away = moved ? staking.powerOf(ctx, staking.tokensRedelegatedSince(ctx, who, height)) : 0n
    count(who, power > away ? power - away : 0n)
  }
  count(operator, staking.lastPower(ctx, operator))
  let removed = 0n
  let whole = staking.lastTotalPower(ctx)
  for (const [who, power] of powers.values()) {
    const standing = staking.lastPower(ctx, who)
    removed += power
    if (power > standing) whole += power - standing
  }
  return 3n * removed < whole
}

function hasTwoStanding(ctx: Context): boolean {
  let standing = 0
  for (const [, v] of staking.validatorsByPower(ctx)) if (staking.isBonded(v) && ++standing === 2) return true
  return false
}

/** Counts a validator of this power among those that the agents took out, or banned when it was out already. */
export function noteRemoval(ctx: Context, operator: Address, power: bigint): void {
  state.removals.set(ctx, [ctx.height, operator], {
    height: ctx.height,
    node: formatAddress(operator, VALIDATOR_PREFIX),
    power,
  })
}

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
  const powers = new Map<string, readonly [Address, bigint]>()
  const count = (who: Address, power: bigint): void => {
    const [, before] = powers.get(toLatin1(who)) ?? [who, 0n]
    powers.set(toLatin1(who), [who, power > before ? power : before])
  }
  for (const [[, who], { power }] of state.removals.entries(ctx)) count(who, power)
  count(operator, staking.lastPower(ctx, operator))
  let removed = 0n
  let whole = staking.lastTotalPower(ctx)
  for (const [who, power] of powers.values()) {
    removed += power
    if (staking.lastPower(ctx, who) === 0n) whole += power
  }
  let standing = 0
  for (const v of staking.bondedValidatorsByPower(ctx)) if (!v.jailed) standing++
  return 3n * removed < whole && standing > 1
}

/** Counts a validator of this power among those that the agents took out, or banned when it was out already. */
export function noteRemoval(ctx: Context, operator: Address, power: bigint): void {
  state.removals.set(ctx, [ctx.height, operator], {
    height: ctx.height,
    node: formatAddress(operator, VALIDATOR_PREFIX),
    power,
  })
}

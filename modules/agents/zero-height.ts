import type { Context } from '../../core/context.ts'
import * as state from './state.ts'

/**
 * For an export that starts again at height zero: what is left of a time in jail or in Horizon goes on from there.
 * Removals and jails count as if they had just been. Bans stay as they were signed, with the heights of the chain that made them.
 */
export function prepareForZeroHeight(ctx: Context): void {
  const left = (until: bigint): bigint => (until > ctx.height ? until - ctx.height : 0n)
  for (const [key] of [...state.releases.entries(ctx)]) state.releases.delete(ctx, key)
  for (const [operator, before] of [...state.standings.entries(ctx)]) {
    const standing = {
      horizonUntil: left(before.horizonUntil),
      jailedUntil: left(before.jailedUntil),
      undisputedUntil: left(before.undisputedUntil),
      hits: 0,
      toldReason: before.toldReason,
      jails: before.jails.map((jail) => ({ ...jail, height: 0n })),
    }
    state.standings.set(ctx, operator, standing)
    if (standing.jailedUntil > 0n) state.releases.set(ctx, [standing.jailedUntil, operator], true)
  }
  for (const [key, removal] of [...state.removals.entries(ctx)]) {
    const [, operator] = key
    const { power } = state.removals.get(ctx, [0n, operator]) ?? { power: 0n }
    state.removals.delete(ctx, key)
    const most = removal.power > power ? removal.power : power
    state.removals.set(ctx, [0n, operator], { ...removal, height: 0n, power: most })
  }
}

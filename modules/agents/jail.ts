import type { Address } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import type { Jail } from '../../proto/gen/fornax/agents/v1/agents.ts'
import * as slashing from '../slashing/api.ts'
import * as staking from '../staking/api.ts'
import { params } from './params.ts'
import type { Reason } from './penalty.ts'
import { standingOf } from './pools.ts'
import * as state from './state.ts'

/** 9999-12-31T23:59:59Z: the agents' jail ends by height, the ban's never. */
export const END_OF_TIME_NS = 253_402_300_799_000_000_000n

/** Jails for the parameter's number of blocks: by MsgUnjail it comes out after that, and not before. */
export function jailForBlocks(ctx: Context, operator: Address, reason: Reason): void {
  noteJail(ctx, operator, reason)
  slashing.jailUntil(ctx, operator, END_OF_TIME_NS)
  setRelease(ctx, operator, ctx.height + params(ctx).jailBlocks)
}

/** More are in no window that a ban could need. */
export const KEPT_JAILS = 32

/** The height at which it was jailed outlives its record in the roster, and the jail. */
function noteJail(ctx: Context, operator: Address, reason: Reason): void {
  const standing = standingOf(ctx, operator)
  const jails = [...standing.jails.filter(isRecent(ctx)), { height: ctx.height, reason }]
  state.standings.set(ctx, operator, { ...standing, jails: jails.slice(-KEPT_JAILS) })
}

const isRecent =
  (ctx: Context) =>
  ({ height }: Jail): boolean =>
    height + params(ctx).jailWindow > ctx.height

/** The Heavy penalties of the last `jail_window` blocks for a reason, the newest last. */
export const jailsFor = (ctx: Context, operator: Address, reason: Reason): readonly Jail[] =>
  standingOf(ctx, operator).jails.filter((jail) => jail.reason === reason && isRecent(ctx)(jail))

/** Forgets when a validator may leave, as it is let out otherwise. */
export const endJail = (ctx: Context, operator: Address): void => setRelease(ctx, operator, 0n)

/** Lets out those whose time is up. */
export function releaseFromJail(ctx: Context): void {
  for (const [[height, operator]] of [...state.releases.entries(ctx)]) {
    if (height > ctx.height) break
    endJail(ctx, operator)
    if (staking.validator(ctx, operator) !== undefined) slashing.release(ctx, operator)
  }
}

/** Each has one release at most; at height 0 it has none. */
function setRelease(ctx: Context, operator: Address, height: bigint): void {
  const standing = standingOf(ctx, operator)
  if (standing.jailedUntil > 0n) state.releases.delete(ctx, [standing.jailedUntil, operator])
  if (height > 0n) state.releases.set(ctx, [height, operator], true)
  if (standing.jailedUntil !== height)
    state.standings.set(ctx, operator, { ...standing, jailedUntil: height })
}

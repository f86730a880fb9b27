import { type Address, CONSENSUS_PREFIX, formatAddress } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import type { Dec } from '../../core/dec.ts'
import { nanosecondsOf, timestampOf } from '../../core/time.ts'
import * as staking from '../staking/api.ts'
import { requireSigningInfo, signingInfoOf } from './signing-info.ts'
import * as state from './state.ts'

const consensusOf = (ctx: Context, operator: Address): Address =>
  staking.consensusAddressOf(staking.requireValidator(ctx, operator))

/** Slashes for an infraction of the past, with the SDK's event, and answers the tokens burned of the validator itself. */
export function slashInfraction(ctx: Context, infraction: staking.Infraction, reason: string): bigint {
  const burned = staking.slash(ctx, infraction)
  ctx.emit('slash', {
    address: formatAddress(infraction.validator, CONSENSUS_PREFIX),
    power: infraction.power.toString(),
    reason,
    burned_coins: burned.toString(),
  })
  return burned
}

/**
 * Burns `fraction` of a validator's stake as it is now and of what began to leave it since `height`, and answers the tokens
 * burned of the validator itself: none of an unbonded one. Throws staking/3.
 */
export function slash(
  ctx: Context,
  operator: Address,
  height: bigint,
  fraction: Dec,
  reason: string,
): bigint {
  const v = staking.requireValidator(ctx, operator)
  if (staking.isUnbonded(v)) return 0n
  const tokens = staking.tokensOf(v) + staking.tokensLeftSince(ctx, operator, height)
  const power = staking.powerOf(ctx, tokens)
  const validator = staking.consensusAddressOf(v)
  return slashInfraction(ctx, { validator, height, power, fraction }, reason)
}

/** Takes a validator out of the set at the end of the block; nothing where it is in jail. Throws staking/3. */
export function jail(ctx: Context, operator: Address): void {
  const v = staking.requireValidator(ctx, operator)
  if (v.jailed) return
  staking.jail(ctx, operator)
  ctx.emit('slash', { jailed: formatAddress(staking.consensusAddressOf(v), CONSENSUS_PREFIX) })
}

/**
 * Jails a validator, and refuses its MsgUnjail before `untilNs` (nanoseconds since 1970). Of two times the later
 * stands. Throws staking/3, and slashing/8 where it was never in the set.
 */
export function jailUntil(ctx: Context, operator: Address, untilNs: bigint): void {
  const consensus = consensusOf(ctx, operator)
  const info = requireSigningInfo(ctx, consensus)
  jail(ctx, operator)
  if (untilNs > nanosecondsOf(info.jailedUntil))
    state.signingInfos.set(ctx, consensus, { ...info, jailedUntil: timestampOf(untilNs) })
}

/** Whether a penalty still holds a validator in jail; who jailed itself may leave it at any time. */
export function isHeldInJail(ctx: Context, consensus: Address): boolean {
  const info = signingInfoOf(ctx, consensus)
  return info !== undefined && (info.tombstoned || nanosecondsOf(info.jailedUntil) > ctx.timeNs)
}

/** Bars a validator from ever leaving jail again. Throws staking/3, and slashing/8 where it was never in the set. */
export function tombstone(ctx: Context, operator: Address): void {
  const consensus = consensusOf(ctx, operator)
  const info = requireSigningInfo(ctx, consensus)
  if (!info.tombstoned) state.signingInfos.set(ctx, consensus, { ...info, tombstoned: true })
}

/** Whether a validator is barred for ever. Throws staking/3. */
export const isTombstoned = (ctx: Context, operator: Address): boolean =>
  signingInfoOf(ctx, consensusOf(ctx, operator))?.tombstoned ?? false

/**
 * Ends the time in jail: the validator may leave it from now on, unless it is tombstoned. Nothing where it was never in
 * the set, as one made again with another key. Throws staking/3.
 */
export function release(ctx: Context, operator: Address): void {
  const consensus = consensusOf(ctx, operator)
  const info = signingInfoOf(ctx, consensus)
  if (info === undefined) return
  if (!info.tombstoned && nanosecondsOf(info.jailedUntil) > ctx.timeNs)
    state.signingInfos.set(ctx, consensus, { ...info, jailedUntil: timestampOf(ctx.timeNs) })
}

/** Takes a tombstone back, and the time in jail with it; nothing where it was never in the set. Throws staking/3. */
export function pardon(ctx: Context, operator: Address): void {
  const consensus = consensusOf(ctx, operator)
  const info = signingInfoOf(ctx, consensus)
  if (info === undefined) return
  state.signingInfos.set(ctx, consensus, { ...info, tombstoned: false })
  release(ctx, operator)
}

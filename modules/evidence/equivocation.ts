import { CONSENSUS_PREFIX, formatAddress } from '../../core/address.ts'
import type { Context, Misbehavior } from '../../core/context.ts'
import { nanosecondsOf, timestampOf } from '../../core/time.ts'
import { consensusParams } from '../consensus/api.ts'
import * as slashing from '../slashing/api.ts'
import * as staking from '../staking/api.ts'
import { notify } from './hooks.ts'
import { equivocations, hashOf } from './state.ts'

/** 9999-12-31T23:59:59Z: the end of jail for an equivocation. */
const END_OF_TIME_NS = 253_402_300_799_000_000_000n
/** CometBFT applies a change of the set one block later. */
const UPDATE_DELAY = 1n

/** Punishes what CometBFT found: double votes and attacks on light clients alike. */
export function punishMisbehavior(ctx: Context): void {
  for (const misbehavior of ctx.block.misbehavior)
    if (punish(ctx, misbehavior)) notify('afterEquivocation', ctx, misbehavior.address)
}

/** Both limits must be passed for evidence to be stale. */
function isTooOld(ctx: Context, { height, timeNs }: Misbehavior): boolean {
  const limits = consensusParams(ctx)?.evidence
  if (limits === undefined) return false
  return (
    ctx.timeNs - timeNs > nanosecondsOf(limits.maxAgeDuration) && ctx.height - height > limits.maxAgeNumBlocks
  )
}

/** Slashes, jails and tombstones. Evidence against who is unknown, unbonded or tombstoned, and stale one, is let be. */
function punish(ctx: Context, misbehavior: Misbehavior): boolean {
  const { address, height, power, timeNs } = misbehavior
  const v = staking.validatorByConsensusAddress(ctx, address)
  if (v === undefined || staking.isUnbonded(v) || isTooOld(ctx, misbehavior)) return false
  const operator = staking.operatorOf(v)
  if (slashing.isTombstoned(ctx, operator)) return false
  const fraction = slashing.doubleSignFraction(ctx)
  slashing.slashInfraction(
    ctx,
    { validator: address, height: height - UPDATE_DELAY, power, fraction },
    'double_sign',
  )
  slashing.jailUntil(ctx, operator, END_OF_TIME_NS)
  slashing.tombstone(ctx, operator)
  const equivocation = {
    height,
    time: timestampOf(timeNs),
    power,
    consensusAddress: formatAddress(address, CONSENSUS_PREFIX),
  }
  equivocations.set(ctx, hashOf(equivocation), equivocation)
  return true
}

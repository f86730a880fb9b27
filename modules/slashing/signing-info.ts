import type { ValidatorSigningInfo } from 'cosmjs-types/cosmos/slashing/v1beta1/slashing'
import { type Address, CONSENSUS_PREFIX, formatAddress } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import { slashingError } from './errors.ts'
import * as state from './state.ts'

export const signingInfoOf = (ctx: Context, consensus: Address): ValidatorSigningInfo | undefined =>
  state.signingInfos.get(ctx, consensus)

/** Throws slashing/8. */
export function requireSigningInfo(ctx: Context, consensus: Address): ValidatorSigningInfo {
  const info = signingInfoOf(ctx, consensus)
  if (info === undefined) throw slashingError.noSigningInfo()
  return info
}

/** Begins to count the blocks that a validator signs: at its bonding, and again at each later one. */
export function beginSigning(ctx: Context, consensus: Address): void {
  const info = signingInfoOf(ctx, consensus) ?? {
    address: formatAddress(consensus, CONSENSUS_PREFIX),
    startHeight: 0n,
    indexOffset: 0n,
    jailedUntil: { seconds: 0n, nanos: 0 },
    tombstoned: false,
    missedBlocksCounter: 0n,
  }
  state.signingInfos.set(ctx, consensus, { ...info, startHeight: ctx.height })
}

import type { Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { Header } from 'cosmjs-types/tendermint/types/types'
import { compareBytes } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { timestampOf } from '../../core/time.ts'
import { tokensOf } from './exchange-rate.ts'
import { params, powerOf } from './params.ts'
import * as state from './state.ts'
import { lastValidators } from './validator-set.ts'
import { consensusAddressOf, isBonded } from './validators.ts'

/** Keeps this block's header and set for relayers, and as many of those before as the parameters say. */
export function trackHistoricalInfo(ctx: Context): void {
  const kept = BigInt(params(ctx).historicalEntries)
  for (let height = ctx.height - kept; height >= 0n; height--) {
    if (!state.historicalInfos.has(ctx, height)) break
    state.historicalInfos.delete(ctx, height)
  }
  if (kept === 0n) return
  const { chainId, appHash, nextValidatorsHash, proposer } = ctx.block
  const header = Header.fromPartial({
    chainId,
    height: ctx.height,
    time: timestampOf(ctx.timeNs),
    appHash,
    nextValidatorsHash,
    proposerAddress: proposer,
  })
  state.historicalInfos.set(ctx, ctx.height, { header, valset: byConsensusPower(ctx) })
}

/** CometBFT's order: by power, best first, then by consensus address. */
function byConsensusPower(ctx: Context): Validator[] {
  const ranked = lastValidators(ctx).map((v) => ({
    v,
    power: isBonded(v) ? powerOf(ctx, tokensOf(v)) : 0n,
    address: consensusAddressOf(v),
  }))
  ranked.sort((a, b) =>
    a.power === b.power ? compareBytes(a.address, b.address) : a.power > b.power ? -1 : 1,
  )
  return ranked.map(({ v }) => v)
}

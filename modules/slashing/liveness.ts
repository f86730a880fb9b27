import type { Params } from 'cosmjs-types/cosmos/slashing/v1beta1/slashing'
import { CONSENSUS_PREFIX, formatAddress } from '../../core/address.ts'
import type { Context, Vote } from '../../core/context.ts'
import { nanosecondsOf, timestampOf } from '../../core/time.ts'
import * as staking from '../staking/api.ts'
import { forgetMissed, isMissed, setMissed } from './missed-blocks.ts'
import { decimalOf, minSignedBlocks, params } from './params.ts'
import { requireSigningInfo } from './signing-info.ts'
import * as state from './state.ts'

/** CometBFT applies a change of the set one block later, and the votes are those for the block before. */
const VOTES_DELAY = 2n

/** Counts the votes for the last block; who missed too many of the window is slashed and jailed. */
export function countVotes(ctx: Context): void {
  const p = params(ctx)
  for (const vote of ctx.block.votes) countVote(ctx, p, vote)
}

function countVote(ctx: Context, p: Params, { address, power, flag }: Vote): void {
  const v = staking.validatorByConsensusAddress(ctx, address)
  // A validator that has just left the set may be gone before its last votes come.
  if (v === undefined || v.jailed) return
  const info = requireSigningInfo(ctx, address)
  const index = info.indexOffset % p.signedBlocksWindow
  info.indexOffset++
  const missed = flag === 'absent'
  const missedBefore = isMissed(ctx, address, index)
  if (missed !== missedBefore) {
    setMissed(ctx, address, index, missed)
    info.missedBlocksCounter += missed ? 1n : -1n
  }
  const text = formatAddress(address, CONSENSUS_PREFIX)
  if (missed)
    ctx.emit('liveness', {
      address: text,
      missed_blocks: info.missedBlocksCounter.toString(),
      height: ctx.height.toString(),
    })
  const isPastFirstWindow = ctx.height > info.startHeight + p.signedBlocksWindow
  const maxMissed = p.signedBlocksWindow - minSignedBlocks(p)
  if (isPastFirstWindow && info.missedBlocksCounter > maxMissed && !staking.isUnbonded(v)) {
    const fraction = decimalOf(p.slashFractionDowntime)
    const height = ctx.height - VOTES_DELAY
    const burned = staking.slash(ctx, { validator: address, height, power, fraction })
    ctx.emit('slash', {
      address: text,
      power: power.toString(),
      reason: 'missing_signature',
      jailed: text,
      burned_coins: burned.toString(),
    })
    staking.jail(ctx, staking.operatorOf(v))
    info.jailedUntil = timestampOf(ctx.timeNs + nanosecondsOf(p.downtimeJailDuration))
    info.missedBlocksCounter = 0n
    info.indexOffset = 0n
    forgetMissed(ctx, address)
  }
  state.signingInfos.set(ctx, address, info)
}

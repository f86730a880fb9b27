import * as query from 'cosmjs-types/cosmos/consensus/v1/query'
import * as tx from 'cosmjs-types/cosmos/consensus/v1/tx'
import * as types from 'cosmjs-types/tendermint/types/params'
import { requireAuthority } from '../../core/authority.ts'
import type { Context } from '../../core/context.ts'
import { sdk, unregistered } from '../../core/error.ts'
import { defineModule, messages, queries } from '../../core/module.ts'
import { registerTypes } from '../../core/wire/registry.ts'
import * as api from './api.ts'
import { compactText } from './compact-text.ts'
import * as state from './state.ts'

registerTypes(types)

/**
 * Refuses what CometBFT's `ConsensusParams.ValidateUpdate` refuses, which would stop the chain: to switch vote
 * extensions off once they are on, or on in a block that has been. Throws undefined/1.
 */
function requireEnableHeight(ctx: Context, before: bigint, after: bigint): void {
  if (before === after) return
  const isPast = (height: bigint): boolean => height > 0n && height <= ctx.height
  if (isPast(before) || isPast(after))
    throw unregistered(
      `vote extensions cannot be enabled from height ${after} at height ${ctx.height}, they are from ${before}`,
    )
}

/** Extensions of 240 validators, each with a text of its own, and transactions beside them. */
const LEAST_BLOCK_BYTES = 262_144n

/** A block must have room for the extended commit of the one before, or none could be proposed any more. */
function requireRoom(maxBytes: bigint, enabledAt: bigint): void {
  if (enabledAt > 0n && maxBytes !== -1n && maxBytes < LEAST_BLOCK_BYTES)
    throw unregistered(
      `with vote extensions a block has at least ${LEAST_BLOCK_BYTES} bytes, not ${maxBytes}`,
    )
}

export const consensus = defineModule({
  name: 'consensus',
  stores: [state.STORE],
  messages: messages<tx.Msg>('cosmos.consensus.v1.Msg', tx, {
    UpdateParams: {
      summary: 'change the consensus parameters (by a proposal)',
      run(ctx, { authority, block, evidence, validator, abci }) {
        requireAuthority(authority)
        if (block === undefined || evidence === undefined || validator === undefined)
          throw unregistered('all parameters must be present')
        const current = api.consensusParams(ctx)
        if (current === undefined) throw sdk.notFound('consensus params')
        if (abci !== undefined)
          requireEnableHeight(
            ctx,
            current.abci?.voteExtensionsEnableHeight ?? 0n,
            abci.voteExtensionsEnableHeight,
          )
        const { voteExtensionsEnableHeight } = abci ?? current.abci ?? { voteExtensionsEnableHeight: 0n }
        requireRoom(block.maxBytes, voteExtensionsEnableHeight)
        api.setConsensusParams(ctx, { ...current, block, evidence, validator, ...(abci && { abci }) })
        ctx.emit('update_consensus_params', {
          authority,
          parameters: compactText(block, evidence, validator, abci),
        })
        return {}
      },
    },
  }),
  queries: queries<query.Query>('cosmos.consensus.v1.Query', query, {
    Params(ctx) {
      const params = api.consensusParams(ctx)
      if (params === undefined) throw sdk.keyNotFound('consensus params')
      return { params }
    },
  }),
})

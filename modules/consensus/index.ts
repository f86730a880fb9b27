import * as query from 'cosmjs-types/cosmos/consensus/v1/query'
import * as tx from 'cosmjs-types/cosmos/consensus/v1/tx'
import * as types from 'cosmjs-types/tendermint/types/params'
import { requireAuthority } from '../../core/authority.ts'
import { sdk } from '../../core/error.ts'
import { defineModule, messages, queries } from '../../core/module.ts'
import { registerTypes } from '../../core/wire/registry.ts'
import * as api from './api.ts'
import * as state from './state.ts'

registerTypes(types)

export const consensus = defineModule({
  name: 'consensus',
  stores: [state.STORE],
  messages: messages<tx.Msg>('cosmos.consensus.v1.Msg', tx, {
    UpdateParams: {
      run(ctx, { authority, block, evidence, validator, abci }) {
        requireAuthority(authority)
        const current = api.consensusParams(ctx)
        if (current === undefined) throw sdk.notFound('consensus params')
        const enabledAt = current.abci?.voteExtensionsEnableHeight ?? 0n
        if (abci !== undefined && abci.voteExtensionsEnableHeight !== enabledAt && enabledAt !== 0n)
          throw sdk.invalidRequest('vote extensions cannot be switched off or moved once they are set')
        api.setConsensusParams(ctx, {
          ...current,
          ...(block && { block }),
          ...(evidence && { evidence }),
          ...(validator && { validator }),
          ...(abci && { abci }),
        })
        ctx.emit('update_consensus_params', { authority })
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

import * as tx from 'cosmjs-types/cosmos/auth/v1beta1/tx'
import { requireAuthority } from '../../core/authority.ts'
import { defineModule, messages } from '../../core/module.ts'
import { checkParams, FEE_COLLECTOR } from './api.ts'
import { authGenesis } from './genesis.ts'
import { authQueries } from './queries.ts'
import * as state from './state.ts'

export const auth = defineModule({
  name: 'auth',
  stores: [state.STORE],
  messages: messages<tx.Msg>('cosmos.auth.v1beta1.Msg', tx, {
    UpdateParams: {
      run(ctx, { authority, params }) {
        requireAuthority(authority)
        checkParams(params)
        state.params.set(ctx, params)
        return {}
      },
    },
  }),
  queries: authQueries,
  genesis: authGenesis,
  accounts: { [FEE_COLLECTOR]: [] },
})

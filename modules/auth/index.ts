import * as tx from 'cosmjs-types/cosmos/auth/v1beta1/tx'
import { defineModule, messages } from '../../core/module.ts'
import { paramsMessage } from '../../core/params-message.ts'
import { checkParams, FEE_COLLECTOR } from './api.ts'
import { authGenesis } from './genesis.ts'
import { authQueries } from './queries.ts'
import * as state from './state.ts'

export const auth = defineModule({
  name: 'auth',
  stores: [state.STORE],
  messages: messages<tx.Msg>('cosmos.auth.v1beta1.Msg', tx, {
    UpdateParams: paramsMessage(state.params, checkParams, 'change the parameters (by a proposal)'),
  }),
  queries: authQueries,
  genesis: authGenesis,
  accounts: { [FEE_COLLECTOR]: [] },
})

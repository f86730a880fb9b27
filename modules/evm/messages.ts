import { messages } from '../../core/module.ts'
import { paramsMessage } from '../../core/params-message.ts'
import { registerTypes } from '../../core/wire/registry.ts'
import * as interop from '../../proto/gen/cosmos/evm/vm/v1/tx.ts'
import * as tx from '../../proto/gen/fornax/evm/v1/tx.ts'
import { checkParams } from './params.ts'
import * as state from './state.ts'

registerTypes(interop)

export const evmMessages = messages<tx.Msg>('fornax.evm.v1.Msg', tx, {
  UpdateParams: paramsMessage(state.params, checkParams),
})

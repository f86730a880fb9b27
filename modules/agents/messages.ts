import { parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { requireAuthority } from '../../core/authority.ts'
import { messages } from '../../core/module.ts'
import { paramsMessage } from '../../core/params-message.ts'
import * as tx from '../../proto/gen/fornax/agents/v1/tx.ts'
import { authenticateMark, liftBan, storeMark } from './bans.ts'
import { checkParams } from './params.ts'
import * as state from './state.ts'

export const agentsMessages = messages<tx.Msg>('fornax.agents.v1.Msg', tx, {
  SubmitBanMark: {
    authenticate: authenticateMark,
    run(ctx, message) {
      storeMark(ctx, message)
      return {}
    },
  },
  LiftBan: {
    run(ctx, { authority, node }) {
      requireAuthority(authority)
      liftBan(ctx, parseAddress(node, VALIDATOR_PREFIX))
      return {}
    },
  },
  UpdateParams: paramsMessage(state.params, checkParams),
})

import { parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { requireAuthority } from '../../core/authority.ts'
import { sdk } from '../../core/error.ts'
import { messages } from '../../core/module.ts'
import { paramsMessage } from '../../core/params-message.ts'
import { emitTyped } from '../../core/typed-event.ts'
import { EventAgentKeySet, EventModelNamed } from '../../proto/gen/fornax/classifier/v1/events.ts'
import * as tx from '../../proto/gen/fornax/classifier/v1/tx.ts'
import { requireValidator } from '../staking/api.ts'
import { requireProof, setAgentKey } from './agent-keys.ts'
import { setNextModel } from './model.ts'
import { checkParams } from './params.ts'
import * as state from './state.ts'
import { authenticateTelemetry, storeTelemetry } from './telemetry.ts'

const KEY_BYTES = 32

export const classifierMessages = messages<tx.Msg>('fornax.classifier.v1.Msg', tx, {
  SubmitMetrics: {
    authenticate: authenticateTelemetry,
    run(ctx, message) {
      storeTelemetry(ctx, message)
      return {}
    },
  },
  SetAgentKey: {
    check({ pubKey }) {
      if (pubKey.length !== KEY_BYTES) throw sdk.invalidPubKey(`an ed25519 key has ${KEY_BYTES} bytes`)
    },
    run(ctx, message) {
      const { validator, pubKey } = message
      const operator = parseAddress(validator, VALIDATOR_PREFIX)
      requireValidator(ctx, operator)
      requireProof(ctx, message)
      setAgentKey(ctx, operator, pubKey)
      emitTyped(ctx, EventAgentKeySet, { validator, pubKey })
      return {}
    },
  },
  UpdateModel: {
    run(ctx, { authority, model }) {
      requireAuthority(authority)
      setNextModel(ctx, model)
      emitTyped(ctx, EventModelNamed, model)
      return {}
    },
  },
  UpdateParams: paramsMessage(state.params, checkParams),
})

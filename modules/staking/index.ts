import * as query from 'cosmjs-types/cosmos/staking/v1beta1/query'
import * as types from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { bondStatusToJSON } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import * as tx from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { moduleAddress, parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { sdk } from '../../core/error.ts'
import { defineModule, messages, queries } from '../../core/module.ts'
import { paginate } from '../../core/pagination.ts'
import { registerTypes } from '../../core/wire/registry.ts'
import { balanceOf } from '../bank/api.ts'
import * as api from './api.ts'
import { checkCreateValidator, createGenesisValidator } from './create-validator.ts'
import { stakingGenesis, validatorUpdates } from './genesis.ts'
import * as state from './state.ts'

registerTypes(types)

export const staking = defineModule({
  name: 'staking',
  stores: [state.STORE],
  messages: messages<tx.Msg>('cosmos.staking.v1beta1.Msg', tx, {
    CreateValidator: {
      check: checkCreateValidator,
      run(ctx, message) {
        createGenesisValidator(ctx, message)
        return {}
      },
    },
  }),
  queries: queries<query.Query>('cosmos.staking.v1beta1.Query', query, {
    Validators(ctx, { status, pagination }) {
      const page = paginate(ctx, state.validators, pagination, (_, v) =>
        status === '' || bondStatusToJSON(v.status) === status ? v : undefined,
      )
      return { validators: page.items, pagination: page.pagination }
    },
    Validator(ctx, { validatorAddr }) {
      const validator = api.validator(ctx, parseAddress(validatorAddr, VALIDATOR_PREFIX))
      if (validator === undefined) throw sdk.keyNotFound(`validator ${validatorAddr} not found`)
      return { validator }
    },
    Params: (ctx) => ({ params: api.params(ctx) }),
    Pool(ctx) {
      const { bondDenom } = api.params(ctx)
      return {
        pool: {
          bondedTokens: balanceOf(ctx, moduleAddress(api.BONDED_POOL), bondDenom).toString(),
          notBondedTokens: balanceOf(ctx, moduleAddress(api.NOT_BONDED_POOL), bondDenom).toString(),
        },
      }
    },
  }),
  genesis: stakingGenesis,
  validatorUpdates,
  accounts: { [api.BONDED_POOL]: ['burner', 'staking'], [api.NOT_BONDED_POOL]: ['burner', 'staking'] },
})

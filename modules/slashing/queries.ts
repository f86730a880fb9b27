import * as query from 'cosmjs-types/cosmos/slashing/v1beta1/query'
import * as types from 'cosmjs-types/cosmos/slashing/v1beta1/slashing'
import { CONSENSUS_PREFIX, parseAddress } from '../../core/address.ts'
import { sdk } from '../../core/error.ts'
import { queries } from '../../core/module.ts'
import { paginate } from '../../core/pagination.ts'
import { registerTypes } from '../../core/wire/registry.ts'
import { params } from './params.ts'
import { signingInfoOf } from './signing-info.ts'
import * as state from './state.ts'

registerTypes(types)

export const slashingQueries = queries<query.Query>('cosmos.slashing.v1beta1.Query', query, {
  Params: (ctx) => ({ params: params(ctx) }),
  SigningInfo(ctx, { consAddress }) {
    const valSigningInfo = signingInfoOf(ctx, parseAddress(consAddress, CONSENSUS_PREFIX))
    if (valSigningInfo === undefined)
      throw sdk.keyNotFound(`SigningInfo not found for validator ${consAddress}`)
    return { valSigningInfo }
  },
  SigningInfos(ctx, { pagination }) {
    const page = paginate(ctx, state.signingInfos, pagination, (_, info) => info)
    return { info: page.items, pagination: page.pagination }
  },
})

import * as types from 'cosmjs-types/cosmos/bank/v1beta1/bank'
import * as query from 'cosmjs-types/cosmos/bank/v1beta1/query'
import * as coinTypes from 'cosmjs-types/cosmos/base/v1beta1/coin'
import { formatAddress, parseAddress } from '../../core/address.ts'
import { isDenom } from '../../core/coin.ts'
import { addressKey, part, textKey } from '../../core/collections.ts'
import type { Context } from '../../core/context.ts'
import { sdk } from '../../core/error.ts'
import { queries } from '../../core/module.ts'
import { paginate } from '../../core/pagination.ts'
import { registerTypes } from '../../core/wire/registry.ts'
import * as api from './api.ts'
import * as state from './state.ts'

registerTypes(types, coinTypes)

function requireDenom(denom: string): string {
  if (!isDenom(denom)) throw sdk.invalidRequest(`invalid denom: ${denom.slice(0, 140)}`)
  return denom
}

const coin = (denom: string, amount: bigint): { denom: string; amount: string } => ({
  denom,
  amount: amount.toString(),
})

function metadataOf(ctx: Context, denom: string): { metadata: types.Metadata } {
  const metadata = state.metadata.get(ctx, requireDenom(denom))
  if (metadata === undefined) throw sdk.keyNotFound(`client metadata for denom ${denom}`)
  return { metadata }
}

function ownersOf(
  ctx: Context,
  { denom, pagination }: Pick<query.QueryDenomOwnersRequest, 'denom' | 'pagination'>,
): query.QueryDenomOwnersResponse {
  const page = paginate(
    ctx,
    state.owners,
    pagination,
    ([, owner]) => ({
      address: formatAddress(owner),
      balance: coin(denom, api.balanceOf(ctx, owner, denom)),
    }),
    part(textKey, requireDenom(denom)),
  )
  return { denomOwners: page.items, pagination: page.pagination }
}

export const bankQueries = queries<query.Query>('cosmos.bank.v1beta1.Query', query, {
  Balance: (ctx, { address, denom }) => ({
    balance: coin(requireDenom(denom), api.balanceOf(ctx, parseAddress(address), denom)),
  }),
  AllBalances: {
    alias: 'balances',
    run(ctx, { address, pagination, resolveDenom }) {
      const page = paginate(
        ctx,
        state.balances,
        pagination,
        ([, denom], amount) =>
          coin((resolveDenom ? state.metadata.get(ctx, denom)?.display : undefined) ?? denom, amount),
        part(addressKey, parseAddress(address)),
      )
      return { balances: page.items, pagination: page.pagination }
    },
  },
  SpendableBalances(ctx, { address, pagination }) {
    const page = paginate(
      ctx,
      state.balances,
      pagination,
      ([, denom], amount) => coin(denom, amount),
      part(addressKey, parseAddress(address)),
    )
    return { balances: page.items, pagination: page.pagination }
  },
  SpendableBalanceByDenom: (ctx, { address, denom }) => ({
    balance: coin(requireDenom(denom), api.balanceOf(ctx, parseAddress(address), denom)),
  }),
  TotalSupply(ctx, { pagination }) {
    const page = paginate(ctx, state.supply, pagination, coin)
    return { supply: page.items, pagination: page.pagination }
  },
  SupplyOf: (ctx, { denom }) => ({ amount: coin(requireDenom(denom), api.supplyOf(ctx, denom)) }),
  Params: (ctx) => ({ params: api.params(ctx) }),
  DenomMetadata: (ctx, { denom }) => metadataOf(ctx, denom),
  DenomMetadataByQueryString: (ctx, { denom }) => metadataOf(ctx, denom),
  DenomsMetadata(ctx, { pagination }) {
    const page = paginate(ctx, state.metadata, pagination, (_, metadata) => metadata)
    return { metadatas: page.items, pagination: page.pagination }
  },
  DenomOwners: ownersOf,
  DenomOwnersByQuery: ownersOf,
  SendEnabled(ctx, { denoms, pagination }) {
    if (denoms.length > 0) {
      const sendEnabled = denoms.flatMap((denom) => {
        const enabled = state.sendEnabled.get(ctx, denom)
        return enabled === undefined ? [] : [{ denom, enabled }]
      })
      return { sendEnabled }
    }
    const page = paginate(ctx, state.sendEnabled, pagination, (denom, enabled) => ({ denom, enabled }))
    return { sendEnabled: page.items, pagination: page.pagination }
  },
})

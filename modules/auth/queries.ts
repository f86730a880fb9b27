import * as types from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import * as query from 'cosmjs-types/cosmos/auth/v1beta1/query'
import {
  ACCOUNT_PREFIX,
  checkAddress,
  formatAddress,
  moduleAddress,
  parseAddress,
} from '../../core/address.ts'
import { sdk } from '../../core/error.ts'
import { queries } from '../../core/module.ts'
import { paginate } from '../../core/pagination.ts'
import { registerTypes } from '../../core/wire/registry.ts'
import { accountToAny } from './account.ts'
import * as api from './api.ts'
import * as state from './state.ts'

registerTypes(types)

export const authQueries = queries<query.Query>('cosmos.auth.v1beta1.Query', query, {
  Accounts(ctx, { pagination }) {
    const page = paginate(ctx, state.accounts, pagination, (_, account) => accountToAny(account))
    return { accounts: page.items, pagination: page.pagination }
  },
  Account(ctx, { address }) {
    const account = api.account(ctx, parseAddress(address))
    if (account === undefined) throw sdk.keyNotFound(`account ${address} not found`)
    return { account: accountToAny(account) }
  },
  AccountAddressByID(ctx, { accountId }) {
    const address = state.addressByNumber.get(ctx, accountId)
    if (address === undefined)
      throw sdk.keyNotFound(`account address not found with account number ${accountId}`)
    return { accountAddress: formatAddress(address) }
  },
  Params: (ctx) => ({ params: api.params(ctx) }),
  ModuleAccounts(ctx) {
    const addresses = [...state.moduleAccounts.entries(ctx)].map(([, address]) => address)
    return { accounts: addresses.map((address) => accountToAny(api.account(ctx, address)!)) }
  },
  ModuleAccountByName(ctx, { name }) {
    const account = api.account(ctx, moduleAddress(name))
    if (account?.module === undefined) throw sdk.keyNotFound(`account ${name} not found`)
    return { account: accountToAny(account) }
  },
  Bech32Prefix: () => ({ bech32Prefix: ACCOUNT_PREFIX }),
  AddressBytesToString: (_, { addressBytes }) => ({
    addressString: formatAddress(checkAddress(addressBytes)),
  }),
  AddressStringToBytes: (_, { addressString }) => ({ addressBytes: parseAddress(addressString) }),
  AccountInfo(ctx, { address }) {
    const account = api.account(ctx, parseAddress(address))
    if (account === undefined) throw sdk.keyNotFound(`account ${address} not found`)
    const { module: _, ...base } = account
    return { info: BaseAccount.fromPartial(base) }
  },
})

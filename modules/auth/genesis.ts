import type { GenesisState } from 'cosmjs-types/cosmos/auth/v1beta1/genesis'
import * as genesisTypes from 'cosmjs-types/cosmos/auth/v1beta1/genesis'
import { parseAddress } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import { keptKey } from '../../core/crypto/public-key.ts'
import { sdk } from '../../core/error.ts'
import { genesis } from '../../core/module.ts'
import { registerTypes } from '../../core/wire/registry.ts'
import { accountFromAny, accountToAny } from './account.ts'
import { addAccount, checkParams, defaultParams } from './api.ts'
import * as state from './state.ts'

registerTypes(genesisTypes)

function validate({ params, accounts }: GenesisState): void {
  checkParams(params)
  const seen = new Set<string>()
  for (const any of accounts) {
    const { address } = accountFromAny(any)
    parseAddress(address)
    if (seen.has(address))
      throw sdk.invalidRequest(`duplicate account found in genesis state; address: ${address}`)
    seen.add(address)
  }
}

/** Accounts by number; a number that is taken becomes the lowest free one, as the SDK sanitises genesis accounts. */
function numbered({ accounts }: GenesisState): ReturnType<typeof accountFromAny>[] {
  const taken = new Set<bigint>()
  const late: ReturnType<typeof accountFromAny>[] = []
  const all = accounts.map(accountFromAny)
  for (const account of all) {
    if (taken.has(account.accountNumber)) late.push(account)
    taken.add(account.accountNumber)
  }
  let free = 0n
  for (const account of late.sort((a, b) => Number(a.accountNumber - b.accountNumber))) {
    while (taken.has(free)) free++
    account.accountNumber = free
    taken.add(free)
  }
  return all.sort((a, b) => Number(a.accountNumber - b.accountNumber))
}

function init(ctx: Context, g: GenesisState): void {
  state.params.set(ctx, g.params)
  let next = 0n
  for (const account of numbered(g)) {
    const address = parseAddress(account.address)
    const { pubKey } = account
    addAccount(ctx, address, pubKey === undefined ? account : { ...account, pubKey: keptKey(pubKey) })
    next = account.accountNumber + 1n
  }
  state.nextAccountNumber.set(ctx, next)
}

export const authGenesis = genesis<GenesisState>({
  type: 'cosmos.auth.v1beta1.GenesisState',
  defaults: () => ({ params: defaultParams(), accounts: [] }),
  validate,
  init,
  export: (ctx) => ({
    params: state.params.get(ctx) ?? defaultParams(),
    accounts: [...state.addressByNumber.entries(ctx)].map(([, address]) =>
      accountToAny(state.accounts.get(ctx, address)!),
    ),
  }),
})

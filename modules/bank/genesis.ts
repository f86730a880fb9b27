import type { Metadata } from 'cosmjs-types/cosmos/bank/v1beta1/bank'
import type { GenesisState } from 'cosmjs-types/cosmos/bank/v1beta1/genesis'
import * as genesisTypes from 'cosmjs-types/cosmos/bank/v1beta1/genesis'
import { formatAddress, parseAddress } from '../../core/address.ts'
import { type Coin, checkCoins, formatCoins, isDenom, sumCoins } from '../../core/coin.ts'
import type { Context } from '../../core/context.ts'
import { sdk } from '../../core/error.ts'
import { genesis } from '../../core/module.ts'
import { registerTypes } from '../../core/wire/registry.ts'
import * as api from './api.ts'
import { bankError } from './errors.ts'
import * as state from './state.ts'

registerTypes(genesisTypes)

/** Units ascend from the base, whose exponent is 0, and hold the display unit. Throws sdk/18. */
export function checkMetadata({ name, symbol, base, display, denomUnits }: Metadata): void {
  const refuse = (what: string): never => {
    throw sdk.invalidRequest(`metadata of ${base || '?'}: ${what}`)
  }
  if (name.trim() === '') refuse('name field cannot be blank')
  if (symbol.trim() === '') refuse('symbol field cannot be blank')
  if (!isDenom(base) || !isDenom(display)) refuse('invalid base or display denom')
  if (denomUnits[0]?.denom !== base || denomUnits[0].exponent !== 0)
    refuse(`the first denomination unit must be ${base} with exponent 0`)
  denomUnits.forEach(({ denom, exponent }, i) => {
    if (!isDenom(denom)) refuse(`invalid denom unit ${denom}`)
    if (i > 0 && exponent <= denomUnits[i - 1]!.exponent)
      refuse('denom units should be sorted asc by exponent')
  })
  if (new Set(denomUnits.map((u) => u.denom)).size !== denomUnits.length)
    refuse('duplicate denomination unit')
  if (!denomUnits.some((u) => u.denom === display)) refuse(`no denomination unit ${display}`)
}

const sorted = (coins: readonly Coin[]): Coin[] => [...coins].sort((a, b) => (a.denom < b.denom ? -1 : 1))

function validate({ balances, supply, denomMetadata }: GenesisState): void {
  const seen = new Set<string>()
  for (const { address, coins } of balances) {
    parseAddress(address)
    if (seen.has(address)) throw bankError.duplicateEntry(`balances of ${address}`)
    seen.add(address)
    checkCoins(sorted(coins))
  }
  const sum = formatCoins(sumCoins(balances.map((b) => b.coins)))
  if (supply.length > 0 && formatCoins(sorted(supply)) !== sum)
    throw sdk.invalidRequest(
      `genesis supply is incorrect, expected ${formatCoins(sorted(supply))}, got ${sum}`,
    )
  for (const metadata of denomMetadata) checkMetadata(metadata)
}

function init(ctx: Context, g: GenesisState): void {
  state.params.set(ctx, { sendEnabled: [], defaultSendEnabled: g.params.defaultSendEnabled })
  for (const { denom, enabled } of [...g.params.sendEnabled, ...g.sendEnabled])
    state.sendEnabled.set(ctx, denom, enabled)
  const supply = new Map<string, bigint>()
  for (const { address, coins } of g.balances) {
    const owner = parseAddress(address)
    for (const { denom, amount } of coins) {
      api.setBalance(ctx, owner, denom, 0n, BigInt(amount))
      supply.set(denom, (supply.get(denom) ?? 0n) + BigInt(amount))
    }
  }
  for (const [denom, amount] of supply) state.supply.set(ctx, denom, amount)
  for (const metadata of g.denomMetadata) state.metadata.set(ctx, metadata.base, metadata)
}

function exportState(ctx: Context): GenesisState {
  const balances: { address: string; coins: Coin[] }[] = []
  for (const [[owner, denom], amount] of state.balances.entries(ctx)) {
    const address = formatAddress(owner)
    const entry = { denom, amount: amount.toString() }
    if (balances.at(-1)?.address === address) balances.at(-1)!.coins.push(entry)
    else balances.push({ address, coins: [entry] })
  }
  return {
    params: api.params(ctx),
    balances,
    supply: [...state.supply.entries(ctx)].map(([denom, amount]) => ({ denom, amount: amount.toString() })),
    denomMetadata: [...state.metadata.entries(ctx)].map(([, m]) => m),
    sendEnabled: [...state.sendEnabled.entries(ctx)].map(([denom, enabled]) => ({ denom, enabled })),
  }
}

export const bankGenesis = genesis<GenesisState>({
  type: 'cosmos.bank.v1beta1.GenesisState',
  defaults: () => ({
    params: { sendEnabled: [], defaultSendEnabled: true },
    balances: [],
    supply: [],
    denomMetadata: [],
    sendEnabled: [],
  }),
  validate,
  init,
  export: exportState,
})

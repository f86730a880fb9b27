import { parseAddress } from '../core/address.ts'
import { addCoins, type Coin, checkCoins } from '../core/coin.ts'
import type { Json } from '../core/wire/json.ts'
import { type GenesisDocument, GenesisError, isObject, type JsonObject } from './document.ts'

/**
 * Adds an account with coins and puts them into the supply, in place. Throws GenesisError where the account is there
 * already or a section is malformed, ChainError on a malformed address or coins.
 */
export function addAccount(document: GenesisDocument, address: string, coins: readonly Coin[]): void {
  parseAddress(address)
  checkCoins(coins)
  const accounts = listAt(document, 'auth', 'accounts')
  const balances = listAt(document, 'bank', 'balances')
  if ([...accounts, ...balances].some((entry) => isObject(entry) && entry['address'] === address))
    throw new GenesisError(`${address} is in the genesis already`)
  accounts.push({
    '@type': '/cosmos.auth.v1beta1.BaseAccount',
    address,
    pub_key: null,
    account_number: String(accounts.length),
    sequence: '0',
  })
  balances.push({ address, coins: coins.map(coinJson) })
  const supply = listAt(document, 'bank', 'supply') as unknown as Coin[]
  sectionOf(document, 'bank')['supply'] = addCoins(supply, coins).map(coinJson)
}

/** An account's balance of a denomination. */
export function balanceAt(document: GenesisDocument, address: string, denom: string): bigint {
  const entry = listAt(document, 'bank', 'balances').find((b) => isObject(b) && b['address'] === address)
  const coins = (isObject(entry) && Array.isArray(entry['coins']) ? entry['coins'] : []) as unknown as Coin[]
  return BigInt(coins.find((c) => c.denom === denom)?.amount ?? 0)
}

function sectionOf(document: GenesisDocument, name: string): JsonObject {
  const section: Json | undefined = document.app_state[name]
  if (!isObject(section)) throw new GenesisError(`app_state.${name} must be an object`)
  return section
}

function listAt(document: GenesisDocument, name: string, field: string): Json[] {
  const list = sectionOf(document, name)[field]
  if (!Array.isArray(list)) throw new GenesisError(`app_state.${name}.${field} must be a list`)
  return list
}

const coinJson = ({ denom, amount }: Coin): JsonObject => ({ denom, amount })

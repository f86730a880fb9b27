import { addCoins, type Coin, sumCoins } from '../core/coin.ts'
import { ChainError } from '../core/error.ts'
import { sectionFromJson } from '../core/genesis-section.ts'
import type { Module } from '../core/module.ts'
import {
  type GenesisDocument,
  GenesisError,
  isChainId,
  isObject,
  isTime,
  type JsonObject,
} from './document.ts'
import { checkGentxs, type Gentx } from './gentx.ts'

/**
 * Checks a whole genesis file: its frame, each module's section (form, then the module's own rules), that supply is
 * the sum of the balances, and the genesis transactions. Throws GenesisError with the JSON path of the first fault.
 * With `needsValidators`, a chain without any is a fault.
 */
export function validateGenesis(
  document: GenesisDocument,
  modules: readonly Module[],
  { needsValidators = true } = {},
): Gentx[] {
  checkFrame(document)
  const { app_state } = document
  const known = new Set([...modules.filter((m) => m.genesis).map((m) => m.name), 'genutil', 'fornax'])
  for (const name of Object.keys(app_state))
    if (!known.has(name))
      refuse(`app_state.${name}`, `is not a section; there are ${[...known].sort().join(', ')}`)
  for (const { name, genesis } of modules) {
    if (!genesis) continue
    const path = `app_state.${name}`
    if (!(name in app_state)) refuse(path, 'is missing')
    try {
      genesis.validate?.(sectionFromJson(genesis, app_state[name], path) as never)
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      // A wrong form carries its path already.
      const { message } = error
      throw new GenesisError(
        message.includes(`${path}.`) ? message.replace(/: [^:]*unmarshal.*$/, '') : `${path}: ${message}`,
      )
    }
  }
  checkSupply(app_state)
  const { genutil, fornax } = app_state as { genutil: unknown; fornax: unknown }
  if (!isObject(genutil) || !Array.isArray(genutil['gen_txs']))
    refuse('app_state.genutil.gen_txs', 'must be a list')
  if (fornax !== undefined && (!isObject(fornax) || typeof fornax['development'] !== 'boolean'))
    refuse('app_state.fornax.development', 'must be true or false')
  const gentxs = checkGentxs(document)
  const staking = app_state['staking']
  const validators =
    isObject(staking) && Array.isArray(staking['validators']) ? staking['validators'].length : 0
  if (needsValidators && gentxs.length + validators === 0)
    refuse('app_state.genutil.gen_txs', 'makes no validator: nobody could make blocks')
  return gentxs
}

function checkFrame(document: GenesisDocument): void {
  const known = [
    'genesis_time',
    'chain_id',
    'initial_height',
    'consensus_params',
    'validators',
    'app_hash',
    'app_state',
  ]
  for (const key of Object.keys(document))
    if (!known.includes(key)) refuse(key, `is not a part of a genesis file; there are ${known.join(', ')}`)
  if (!isChainId(document.chain_id)) refuse('chain_id', 'must be fornax-<number>, such as fornax-1')
  if (!isTime(document.genesis_time))
    refuse('genesis_time', 'must be a time in UTC, such as 2026-01-31T12:00:00Z')
  if (!/^[1-9]\d{0,17}$/.test(document.initial_height))
    refuse('initial_height', 'must be a positive number as text')
  const params: unknown = document.consensus_params
  if (!isObject(params)) refuse('consensus_params', 'must be an object')
  const { abci, block } = params
  if (!isObject(abci) || abci['vote_extensions_enable_height'] !== '1')
    refuse(
      'consensus_params.abci.vote_extensions_enable_height',
      'must be "1": the chain counts on them from the start',
    )
  if (!isObject(block) || !/^[1-9]\d{0,8}$/.test(String(block['max_bytes'])))
    refuse('consensus_params.block.max_bytes', 'must be a positive number as text')
  if (!/^(-1|[1-9]\d{0,17})$/.test(String(block['max_gas'])))
    refuse('consensus_params.block.max_gas', 'must be "-1" or a positive number as text')
}

/** An empty supply is filled from the balances when the chain starts. */
function checkSupply(state: JsonObject): void {
  const bank = state['bank']
  if (!isObject(bank)) return
  const balances = (bank['balances'] ?? []) as unknown as { coins: Coin[] }[]
  const supply = (bank['supply'] ?? []) as unknown as Coin[]
  if (supply.length === 0) return
  const [said, sum] = [addCoins(supply), sumCoins(balances.map((b) => b.coins))]
  for (const denom of new Set([...said, ...sum].map((c) => c.denom))) {
    const of = (coins: readonly Coin[]): string => coins.find((c) => c.denom === denom)?.amount ?? '0'
    if (of(said) !== of(sum))
      refuse('app_state.bank.supply', `says ${of(said)}${denom} but the balances sum to ${of(sum)}${denom}`)
  }
}

function refuse(path: string, why: string): never {
  throw new GenesisError(`${path} ${why}`)
}

import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import type { ConsensusParams } from 'cosmjs-types/tendermint/types/params'
import type { Address } from '../core/address.ts'
import { toBase64, toHex } from '../core/bytes.ts'
import type { Context } from '../core/context.ts'
import type { Module } from '../core/module.ts'
import { consensusParams } from '../modules/consensus/api.ts'
import * as staking from '../modules/staking/api.ts'
import { exportGenesis } from './app-state.ts'
import { consensusParamsJson, type GenesisDocument, GenesisError, type GenesisValidator } from './document.ts'

export interface ExportOptions {
  /** Default the exported chain's. */
  readonly chainId?: string
  /** RFC 3339; default now. */
  readonly time?: string
  /** The new chain begins at height 1, with rewards paid out; by default it goes on at the next height. */
  readonly forZeroHeight?: boolean
  /** With forZeroHeight: operators; all other validators are jailed. */
  readonly allowed?: readonly Address[]
}

/**
 * The genesis file of a chain that begins with the state of `ctx`, which is not to be committed. What no module owns
 * is as in `old`, the file the exported chain began with. Throws GenesisError where nobody could make blocks.
 */
export function exportedDocument(
  ctx: Context,
  modules: readonly Module[],
  old: GenesisDocument,
  options: ExportOptions = {},
): GenesisDocument {
  const { chainId = old.chain_id, time = new Date().toISOString(), forZeroHeight = false, allowed } = options
  if (forZeroHeight) for (const module of modules) module.prepareForZeroHeight?.(ctx, allowed)
  const validators = genesisValidators(ctx)
  if (validators.length === 0) throw new GenesisError('no validator is left: nobody could make blocks')
  const { fornax } = old.app_state
  const params = forZeroHeight ? fromZero(consensusParams(ctx), ctx.height) : consensusParams(ctx)
  return {
    ...old,
    genesis_time: time,
    chain_id: chainId,
    initial_height: forZeroHeight ? '1' : String(ctx.height + 1n),
    consensus_params: params ? consensusParamsJson(params) : old.consensus_params,
    validators,
    app_hash: '',
    app_state: { ...exportGenesis(modules, ctx), genutil: { gen_txs: [] }, fornax },
  }
}

/** Vote extensions begin after as many blocks as were left to them, at once where they were on. */
function fromZero(params: ConsensusParams | undefined, height: bigint): ConsensusParams | undefined {
  const enableHeight = params?.abci?.voteExtensionsEnableHeight ?? 0n
  if (params === undefined || enableHeight === 0n) return params
  const voteExtensionsEnableHeight = enableHeight > height ? enableHeight - height : 1n
  return { ...params, abci: { voteExtensionsEnableHeight } }
}

/** The set that makes the first block, as CometBFT reads it. */
const genesisValidators = (ctx: Context): GenesisValidator[] =>
  staking.lastValidators(ctx).map((v) => ({
    address: toHex(staking.consensusAddressOf(v)).toUpperCase(),
    pub_key: {
      type: 'tendermint/PubKeyEd25519',
      value: toBase64(PubKey.decode(v.consensusPubkey!.value).key),
    },
    power: String(staking.lastPower(ctx, staking.operatorOf(v))),
    name: v.description.moniker,
  }))

import { existsSync } from 'node:fs'
import { equalBytes, toHex, utf8 } from '../../core/bytes.ts'
import type { Json } from '../../core/wire/json.ts'
import { hashOfJson } from '../../genesis/beginning.ts'
import {
  type GenesisDocument,
  GenesisError,
  genesisModel,
  isDevelopmentChain,
} from '../../genesis/document.ts'
import { modelAt } from '../../modules/classifier/api.ts'
import type { BlockMeta } from '../app/block-meta.ts'
import type { Chain } from '../app/chain.ts'
import type { Classifier } from '../classifier/classifier.ts'
import { CometFailure } from '../comet/failure.ts'
import { ConfigError } from '../config/file.ts'
import type { Home } from '../config/home.ts'
import type { Config } from '../config/settings.ts'
import type { Store } from '../store/store.ts'

/** Refuses settings that are for development, on any other chain. */
export function refuseDevelopmentFeatures({ faucet, rest }: Config, genesis: GenesisDocument): void {
  if (isDevelopmentChain(genesis)) return
  const but = `but the genesis of ${genesis.chain_id} does not mark it as a development chain`
  if (faucet.enabled) throw new ConfigError(`faucet.enabled is true, ${but}: set it to false`)
  if (rest.loopback_key !== '')
    throw new ConfigError(`rest.loopback_key is "${rest.loopback_key}", ${but}: set it to ""`)
}

/** Refuses the genesis file of another chain than the one that is here: it is the old chain that would go on. */
export function requireChain(
  { chainId, height }: BlockMeta,
  genesis: GenesisDocument,
  { genesis: file, path }: Home,
): void {
  if (height > 0n && chainId !== genesis.chain_id)
    throw new GenesisError(
      `${file} is of chain ${genesis.chain_id}, but ${path} holds chain ${chainId} at height ${height}: put its genesis file back, or begin ${genesis.chain_id} in another home`,
    )
}

/** Refuses an application that is ahead of a CometBFT that has lost its blocks: it could only end at each start. */
export function requireBlocks(height: number, { comet }: Config, home: Home): void {
  if (height === 0 || comet.external) return
  const lost = home.cometData.find((path) => !existsSync(path))
  if (lost !== undefined)
    throw new CometFailure(
      `${lost} is missing, but the application is at height ${height}: put CometBFT's data back, or have \`fornaxd comet reset\` delete all blocks and state, which the node then gets from its peers again`,
    )
}

const GENESIS = utf8('meta:genesis_sha256')

/**
 * Refuses another genesis file than the one that the node's chain began with. CometBFT keeps that one and does not look at the
 * file any more, so that a change of it would do nothing but make the node tell others a wrong genesis. `rememberGenesis` is to
 * have noted the file with the first block; nodes older than that note it here.
 */
export async function requireGenesis(store: Store, genesis: GenesisDocument, home: Home): Promise<void> {
  if (store.height === 0) return
  const before = store.local.get(GENESIS)
  if (before === undefined) return rememberGenesis(store, genesis)
  const now = hashOf(genesis)
  if (equalBytes(before, now)) return
  throw new GenesisError(
    `${home.genesis} is not what this node began with (SHA-256 of its content ${toHex(now).slice(0, 16)}…, then ${toHex(before).slice(0, 16)}…), though the chain id is the same: put that one back; another chain needs another home`,
  )
}

/** Notes what the chain began with, unless that is noted already. */
export async function rememberGenesis(store: Store, genesis: GenesisDocument): Promise<void> {
  if (store.local.get(GENESIS) === undefined) await store.local.put([[GENESIS, hashOf(genesis)]])
}

const hashOf = (genesis: GenesisDocument): Uint8Array => hashOfJson(genesis as unknown as Json)

/** Refuses to start without the model that the chain names: such a validator would have nothing to say. */
export async function requireModel(
  classifier: Classifier,
  chain: Chain,
  genesis: GenesisDocument,
): Promise<void> {
  const ctx = chain.view('working')
  const sha256 = chain.store.height > 0 ? modelAt(ctx, ctx.height).sha256 : genesisModel(genesis)
  if (sha256.length > 0) await classifier.requireModel(sha256)
}

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
import { ConfigError } from '../config/file.ts'
import type { Home } from '../config/home.ts'
import type { Config } from '../config/settings.ts'

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

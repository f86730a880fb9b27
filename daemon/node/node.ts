import { CONSENSUS_PREFIX, checkAddress, formatAddress } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import { isDevelopmentChain, readGenesis } from '../../genesis/document.ts'
import { validateGenesis } from '../../genesis/validate.ts'
import { modules } from '../../modules/index.ts'
import { validatorByConsensusAddress } from '../../modules/staking/api.ts'
import { BlockAge } from '../block-age.ts'
import { cometRpc } from '../client/rpc.ts'
import { ensureKeys } from '../comet/keys.ts'
import { CommittedBlocks } from '../committed-blocks.ts'
import { localUrl } from '../config/kinds.ts'
import { createMetrics } from '../metrics.ts'
import { Reads } from '../read-turns.ts'
import { ensureAgentKey } from '../validator/agent-key.ts'
import { AgentSigner } from '../validator/agent-signer.ts'
import { OwnTelemetry } from '../validator/own-telemetry.ts'
import { StandingWatch } from '../validator/standing-watch.ts'
import { TelemetryWatch } from '../validator/telemetry-watch.ts'
import { startAbci } from './abci.ts'
import { chainOf, classifierOf } from './chain.ts'
import {
  refuseDevelopmentFeatures,
  rememberGenesis,
  requireBlocks,
  requireChain,
  requireGenesis,
  requireModel,
} from './checks.ts'
import { startComet } from './comet.ts'
import { startJsonRpc } from './jsonrpc.ts'
import { startMetrics } from './metrics.ts'
import type { NodeCore, NodeOptions } from './options.ts'
import { Pulse } from './pulse.ts'
import { startRest } from './rest.ts'
import { addServices } from './services.ts'
import { startStore } from './store.ts'
import { startValidator } from './validator.ts'

/** A validator's moniker, or its consensus address where it is none any more. */
function proposerName(ctx: Context, proposer: Uint8Array): string {
  const address = checkAddress(proposer)
  const moniker = validatorByConsensusAddress(ctx, address)?.description.moniker ?? ''
  return moniker === '' ? formatAddress(address, CONSENSUS_PREFIX) : moniker
}

/**
 * Starts a node: store, application, listeners, ABCI server, and last CometBFT. What fails on the way stops what was
 * started and rejects.
 */
export async function startNode(options: NodeOptions): Promise<void> {
  try {
    await startParts(options)
  } catch (error) {
    await options.parts.stop()
    throw error
  }
}

async function startParts(options: NodeOptions): Promise<void> {
  const { home, config, log } = options
  const genesis = readGenesis(home.genesis)
  refuseDevelopmentFeatures(config, genesis)
  ensureKeys(home.path)
  ensureAgentKey(home.agentKey)
  const metrics = createMetrics()

  const store = await startStore(options)
  // Said here, a fault of the file is one clear sentence; said by InitChain it would come from CometBFT.
  if (store.height === 0) validateGenesis(genesis, modules)
  const classifier = classifierOf(options, metrics)
  const ownTelemetry = new OwnTelemetry()
  const chain = chainOf(options, genesis, store, classifier, ownTelemetry)
  requireChain(chain.lastBlock, genesis, home)
  requireBlocks(store.height, config, home)
  await requireGenesis(store, genesis, home)
  await requireModel(classifier, chain, genesis)

  const node: NodeCore = {
    ...options,
    chain,
    development: isDevelopmentChain(genesis),
    rpc: cometRpc(localUrl(config.comet.rpc_address)),
    metrics,
    reads: new Reads(),
    blocks: new CommittedBlocks(),
    blockAge: new BlockAge(config.slot_time),
    pulse: new Pulse({
      log: log.child({ module: 'chain' }),
      slotMs: config.slot_time,
      nameOf: (proposer) => proposerName(chain.view('committed'), proposer),
    }),
    signer: new AgentSigner(home.agentKey),
    ownTelemetry,
    telemetry: new TelemetryWatch(log.child({ module: 'agents' })),
    standing: new StandingWatch(log.child({ module: 'agents' })),
  }
  node.blocks.listen((height) => node.pulse.committed(height))
  const noted = node.blocks.listen(() => {
    noted()
    rememberGenesis(store, genesis).catch(options.onFatal)
  })
  addServices(node)
  const abci = await startAbci(node)
  await startMetrics(node)
  await startRest(node)
  await startJsonRpc(node)
  await startComet(node, abci.address)
  await startValidator(node)
  log.info({ chain: genesis.chain_id, height: store.height }, 'the node runs')
}

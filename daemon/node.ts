import { join } from 'node:path'
import {
  DENOM,
  type GenesisDocument,
  GenesisError,
  genesisModel,
  isDevelopmentChain,
  readGenesis,
} from '../genesis/document.ts'
import { validateGenesis } from '../genesis/validate.ts'
import { modelAt } from '../modules/classifier/api.ts'
import { modules } from '../modules/index.ts'
import { serveAbci } from './abci/server.ts'
import { ensureAgentKey } from './agents/agent-key.ts'
import { AgentSigner } from './agents/agent-signer.ts'
import { Agents } from './agents/agents.ts'
import { showAgents } from './agents/gauges.ts'
import { TelemetryWatch } from './agents/telemetry-watch.ts'
import { createApp } from './app/app.ts'
import { BlockBudget } from './app/block-budget.ts'
import type { BlockMeta } from './app/block-meta.ts'
import { Chain } from './app/chain.ts'
import { createRouter } from './app/router.ts'
import { ownModels } from './classifier/model-files.ts'
import { Classifier } from './classifier/observer.ts'
import { locateComet } from './comet/binary.ts'
import { writeCometConfig } from './comet/config.ts'
import { ensureKeys } from './comet/keys.ts'
import { type CometRpc, cometRpc } from './comet/rpc.ts'
import { type CometStatus, superviseComet } from './comet/supervisor.ts'
import { CommittedBlocks } from './committed-blocks.ts'
import { ConfigError } from './config/file.ts'
import type { Home } from './config/home.ts'
import { listenAddress } from './config/kinds.ts'
import type { Config } from './config/settings.ts'
import { type CredentialRules, isLoopback } from './http/credentials.ts'
import { EventFeed } from './http/events/event-feed.ts'
import type { FaucetOptions } from './http/rest/routes/faucet.ts'
import { telemetryRoute } from './http/rest/routes/telemetry.ts'
import { serveRest } from './http/rest/server.ts'
import { Keyring } from './keyring/keyring.ts'
import type { Lifecycle } from './lifecycle.ts'
import { listening } from './listening.ts'
import type { NodeLog } from './log.ts'
import { createMetrics, type Metrics, sampled, serveMetrics } from './metrics.ts'
import { observed } from './observed-app.ts'
import { paced } from './paced-app.ts'
import { Reads } from './reads.ts'
import { bindServices } from './services/bind.ts'
import { type PruningOptions, pruningPlan } from './store/pruning-options.ts'
import { Store } from './store/store.ts'
import { tokenVerifier } from './tokens.ts'
import { SignaturesAhead } from './verifier/signatures-ahead.ts'
import { appName, appVersion } from './version.ts'

/** A third of a slot's worth of transactions to check. */
const WAITING_BYTES_PER_MS = 800

export interface NodeOptions {
  readonly home: Home
  readonly config: Config
  readonly log: NodeLog
  /** Takes the node's parts: its owner stops them, at any time. */
  readonly parts: Lifecycle
  /** Told once of what the node cannot go on after; its owner is to stop it. */
  readonly onFatal: (error: unknown) => void
}

/**
 * Starts a node: store, application, listeners, ABCI server, and last CometBFT. What fails on the way stops what was
 * started and rejects.
 */
export async function startNode({ home, config, log, parts, onFatal }: NodeOptions): Promise<void> {
  const genesis = readGenesis(home.genesis)
  refuseDevelopmentFeatures(config, genesis)
  ensureKeys(home.path)
  ensureAgentKey(home.agentKey)
  const metrics = createMetrics()

  const store = await parts.start('store', {
    begin: () =>
      Store.open({
        path: home.store,
        stores: createRouter(modules).stores,
        pruning: pruningOf(config),
        log: log.child({ module: 'store' }),
      }),
    stop: (s) => s.close(),
    patienceMs: 5000,
  })
  // Said here, a fault of the file is one clear sentence; said by InitChain it would come from CometBFT.
  if (store.height === 0)
    await parts.start('genesis', { begin: () => void validateGenesis(genesis, modules) })
  const classifier = new Classifier({
    folders: [ownModels, config.classifier.models || join(home.path, 'models')],
    log: log.child({ module: 'classifier' }),
    onInference: (seconds) => {
      if (seconds === 'failed') metrics.inferenceFailures.inc()
      else metrics.inferenceSeconds.observe(seconds)
    },
  })
  const chain = new Chain({
    store,
    observer: classifier,
    modules,
    chainId: genesis.chain_id,
    version: appVersion,
    minimumGasPrices: config.minimum_gas_prices.map(({ denom, amount }) => ({
      denom,
      atomics: amount * 10n ** 18n,
    })),
    log: log.child({ module: 'app' }),
  })
  await parts.start('chain', { begin: () => requireChain(chain.lastBlock, genesis, home) })
  await parts.start('classifier', { begin: () => requireModel(classifier, chain, genesis) })
  const rpc = cometRpc(rpcUrl(config))
  const reads = new Reads()
  const blocks = new CommittedBlocks()
  const signer = new AgentSigner(home.agentKey)
  const watch = new TelemetryWatch(log.child({ module: 'agents' }))
  bindServices({
    chain,
    rpc,
    facts: {
      appName,
      version: appVersion,
      minimumGasPrices: config.minimum_gas_prices.map(({ amount, denom }) => `${amount}${denom}`).join(','),
      ...(config.store.pruning !== 'nothing' && { pruning: pruningPlan(pruningOf(config)) }),
    },
  })
  const handler = observed(chain, createApp(chain), metrics, blocks)
  const ahead = await parts.start('signatures', {
    begin: () => new SignaturesAhead(chain, log.child({ module: 'app' })),
    stop: (signatures) => signatures.close(),
  })
  const abci = await parts.start('ABCI server', {
    begin: () =>
      serveAbci({
        address: config.abci.address || `unix://${home.socket}`,
        handler: paced(chain, handler, new BlockBudget(config.slot_time), reads),
        log: log.child({ module: 'abci' }),
        onFatal,
        awaited: ahead.awaited,
        maxWaitingBytes: Math.max(262_144, config.slot_time * WAITING_BYTES_PER_MS),
        observe: (method, seconds) => metrics.abciSeconds.observe({ method }, seconds),
      }),
    stop: (server) => server.close(),
  })
  if (config.metrics.enabled) {
    const { host, port } = config.metrics.address
    sampled(metrics.mempoolTxs, () => rpc.mempoolSize())
    sampled(metrics.peers, () => rpc.peerCount())
    showAgents(chain, metrics, watch)
    await parts.start('metrics', {
      begin: () =>
        listening('metrics.address', config.metrics.address, () => serveMetrics({ metrics, host, port })),
      stop: (server) => server.close(),
    })
  }
  if (config.rest.enabled) {
    const faucet = await parts.start('faucet', { begin: () => faucetOf(home, config) })
    const rest = await parts.start('REST', {
      begin: () =>
        listening('rest.address', config.rest.address, () =>
          serveRest({
            chain,
            rpc,
            reads,
            metrics,
            signer,
            events: new EventFeed(chain, rpc, blocks),
            credentials: credentialsOf(home, config),
            routes: [telemetryRoute(watch)],
            log: log.child({ module: 'rest' }),
            config: {
              ...config.rest.address,
              corsOrigins: config.rest.cors_origins,
              writesPerSecond: config.rest.writes_per_second,
              version: appVersion,
              ...(faucet && { faucet }),
            },
          }),
        ),
      stop: (server) => server.close(),
    })
    log.info({ url: rest.url }, 'REST listens')
    if (config.rest.loopback_key !== '')
      log.warn(
        { key: config.rest.loopback_key },
        'every program on this machine may act in the name of this key (rest.loopback_key)',
      )
  }
  if (config.comet.external)
    log.info({ address: abci.address }, 'waiting for a CometBFT whose proxy_app is this address')
  else await startComet(parts, home, config, abci.address, log, metrics, () => store.height)
  await parts.start('agents', {
    begin: () => startAgents(chain, rpc, signer, watch, blocks, config, log, metrics),
    stop: (agents) => agents.stop(),
  })
  log.info({ chain: genesis.chain_id, height: store.height }, 'the node runs')
}

/** The agents of the validator that this node may run; they find out by their key. */
function startAgents(
  chain: Chain,
  rpc: CometRpc,
  signer: AgentSigner,
  watch: TelemetryWatch,
  blocks: CommittedBlocks,
  { agents: { telemetry, ban_marks } }: Config,
  log: NodeLog,
  metrics: Metrics,
): Agents {
  const agents = new Agents({
    chain,
    rpc,
    signer,
    telemetry,
    banMarks: ban_marks,
    watch,
    log: log.child({ module: 'agents' }),
    onSent: (kind, result) => metrics.agentTxs.inc({ kind, result }),
  })
  blocks.listen(() => void agents.onCommit())
  return agents
}

function startComet(
  parts: Lifecycle,
  home: Home,
  config: Config,
  appAddress: string,
  log: NodeLog,
  metrics: Metrics,
  height: () => number,
): Promise<unknown> {
  const { comet } = config
  const tcp = (address: typeof comet.rpc_address): string =>
    `tcp://${JSON.parse(listenAddress.render(address))}`
  writeCometConfig(home.path, {
    moniker: config.moniker,
    appAddress,
    rpcAddress: tcp(comet.rpc_address),
    p2pAddress: tcp(comet.p2p_address),
    externalAddress: comet.external_address,
    persistentPeers: comet.persistent_peers,
    seeds: comet.seeds,
    slotMs: config.slot_time,
    localNetwork: comet.private_network,
    corsOrigins: config.rest.cors_origins,
    ...(comet.mempool_size > 0 && { mempool: { maxTxs: comet.mempool_size } }),
    logLevel: comet.log_level,
  })
  return parts.start('CometBFT', {
    begin: async (signal) =>
      superviseComet({
        binary: await locateComet({ progress: (line) => log.info({}, line), signal }),
        home: home.path,
        rpcUrl: rpcUrl(config),
        log: log.child({ module: 'comet' }),
        height,
        onStatus: (status: CometStatus) => {
          if (status.state === 'restarting') metrics.cometRestarts.inc()
        },
      }),
    stop: (supervisor) => supervisor.stop(),
    patienceMs: 6000,
  })
}

/** Where this machine reaches CometBFT's RPC. */
function rpcUrl({ comet }: Config): string {
  const { host, port } = comet.rpc_address
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/** Refuses the genesis file of another chain than the one that is here: it is the old chain that would go on. */
function requireChain(
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
async function requireModel(classifier: Classifier, chain: Chain, genesis: GenesisDocument): Promise<void> {
  const ctx = chain.view('working')
  const sha256 = chain.store.height > 0 ? modelAt(ctx, ctx.height).sha256 : genesisModel(genesis)
  if (sha256.length > 0) await classifier.requireModel(sha256)
}

function credentialsOf(home: Home, { rest }: Config): CredentialRules {
  return {
    verifyToken: tokenVerifier(home.tokens),
    takesTokens: rest.tokens_over_http || isLoopback(rest.address.host),
    ...(rest.loopback_key !== '' && { loopbackKey: rest.loopback_key }),
  }
}

/** The faucet's key and gifts, where there is to be one. */
async function faucetOf(
  home: Home,
  { faucet, keyring, minimum_gas_prices }: Config,
): Promise<FaucetOptions | undefined> {
  if (!faucet.enabled) return undefined
  const ring = new Keyring(home.path, keyring.backend, () => {
    const given = process.env['FORNAX_KEYRING_PASSPHRASE']
    return given
      ? Promise.resolve(given)
      : Promise.reject(
          new ConfigError(
            'the faucet signs with a key of the encrypted keyring: set FORNAX_KEYRING_PASSPHRASE',
          ),
        )
  })
  return {
    privateKey: await ring.privateKey(faucet.key),
    amount: faucet.amount.map(({ denom, amount }) => ({ denom, amount: amount.toString() })),
    intervalMs: faucet.interval,
    gasPrice: minimum_gas_prices[0] ?? { denom: DENOM, amount: 0n },
  }
}

function pruningOf({ store }: Config): PruningOptions {
  const limit = store.max_disk_mb > 0 ? { maxDiskBytes: store.max_disk_mb * 1_000_000 } : {}
  return store.pruning === 'custom'
    ? { kind: 'custom', keepRecent: store.keep_recent, interval: store.interval, ...limit }
    : { kind: store.pruning, ...limit }
}

function refuseDevelopmentFeatures({ faucet, rest }: Config, genesis: GenesisDocument): void {
  if (isDevelopmentChain(genesis)) return
  const but = `but the genesis of ${genesis.chain_id} does not mark it as a development chain`
  if (faucet.enabled) throw new ConfigError(`faucet.enabled is true, ${but}: set it to false`)
  if (rest.loopback_key !== '')
    throw new ConfigError(`rest.loopback_key is "${rest.loopback_key}", ${but}: set it to ""`)
}

import { createServer } from 'node:net'
import { locateComet } from '../comet/binary.ts'
import { writeCometConfig } from '../comet/config.ts'
import { removeLitter } from '../comet/litter.ts'
import { type CometStatus, superviseComet } from '../comet/supervisor.ts'
import { type ListenAddress, listenAddress, localUrl } from '../config/kinds.ts'
import { listening } from './listening.ts'
import type { NodeCore, NodeOptions } from './options.ts'
import type { Phase } from './pulse.ts'

/** Starts the CometBFT of this node against the application at `appAddress`, unless the operator runs it. */
export async function startComet(node: NodeCore, appAddress: string): Promise<void> {
  const { home, config, log, parts, chain, metrics, pulse, onFatal } = node
  if (config.comet.external) {
    pulse.phase = 'deciding'
    log.info({ address: appAddress }, 'waiting for a CometBFT whose proxy_app is this address')
    return
  }
  writeConfig(node, appAddress)
  const listens = [
    ['comet.rpc_address', config.comet.rpc_address],
    ['comet.p2p_address', config.comet.p2p_address],
  ] as const
  await parts.start('CometBFT', {
    begin: async (signal) =>
      superviseComet({
        binary: await locateComet({ progress: (line) => log.info({}, line), signal }),
        home: home.path,
        rpcUrl: localUrl(config.comet.rpc_address),
        log: log.child({ module: 'comet' }),
        height: () => chain.store.height,
        beforeStart: async () => {
          removeLitter(home.path)
          for (const [setting, address] of listens) await listening(setting, address, () => tried(address))
        },
        onGivenUp: onFatal,
        refusesAll: () => chain.isHalted || chain.halt.clearedHeight > 0,
        onStatus: (status) => {
          if (status.state === 'restarting') metrics.cometRestarts.inc()
          const phase = phaseOf(status)
          if (phase !== undefined) pulse.phase = phase
          if (status.state === 'target') pulse.target = status.height
        },
      }),
    stop: (supervisor) => supervisor.stop(),
    patienceMs: 6000,
  })
}

/** Nothing where that stays as it was. */
function phaseOf(status: CometStatus): Phase | undefined {
  if (status.state === 'started') return 'starting'
  if (status.state !== 'progress') return undefined
  const { kind } = status.progress
  if (kind === 'starting' || kind === 'silent') return undefined
  return kind === 'syncing' ? 'syncing' : 'deciding'
}

/** Listens for a moment: CometBFT names no setting where it cannot. */
function tried({ host, port }: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()))
  })
}

function writeConfig({ home, config }: NodeOptions, appAddress: string): void {
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
}

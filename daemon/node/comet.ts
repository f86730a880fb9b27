import { locateComet } from '../comet/binary.ts'
import { writeCometConfig } from '../comet/config.ts'
import { superviseComet } from '../comet/supervisor.ts'
import { listenAddress, localUrl } from '../config/kinds.ts'
import type { NodeCore, NodeOptions } from './options.ts'

/** Starts the CometBFT of this node against the application at `appAddress`, unless the operator runs it. */
export async function startComet(node: NodeCore, appAddress: string): Promise<void> {
  const { home, config, log, parts, chain, metrics } = node
  if (config.comet.external) {
    log.info({ address: appAddress }, 'waiting for a CometBFT whose proxy_app is this address')
    return
  }
  writeConfig(node, appAddress)
  await parts.start('CometBFT', {
    begin: async (signal) =>
      superviseComet({
        binary: await locateComet({ progress: (line) => log.info({}, line), signal }),
        home: home.path,
        rpcUrl: localUrl(config.comet.rpc_address),
        log: log.child({ module: 'comet' }),
        height: () => chain.store.height,
        refusesAll: () => chain.isHalted || chain.halt.clearedHeight > 0,
        onStatus: ({ state }) => {
          if (state === 'restarting') metrics.cometRestarts.inc()
        },
      }),
    stop: (supervisor) => supervisor.stop(),
    patienceMs: 6000,
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

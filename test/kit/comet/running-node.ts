import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveAbci } from '../../../daemon/abci/server.ts'
import { createApp } from '../../../daemon/app/app.ts'
import { Chain } from '../../../daemon/app/chain.ts'
import { BlockAge } from '../../../daemon/block-age.ts'
import { type CometRpc, cometRpc } from '../../../daemon/client/rpc.ts'
import { writeCometConfig } from '../../../daemon/comet/config.ts'
import { cometKey, ensureKeys } from '../../../daemon/comet/keys.ts'
import { superviseComet } from '../../../daemon/comet/supervisor.ts'
import { CommittedBlocks } from '../../../daemon/committed-blocks.ts'
import { EventFeed } from '../../../daemon/http/events/event-feed.ts'
import { type RestConfig, serveRest } from '../../../daemon/http/rest/server.ts'
import { createMetrics } from '../../../daemon/metrics.ts'
import { observed } from '../../../daemon/node/observed-app.ts'
import { Pulse } from '../../../daemon/node/pulse.ts'
import { bindServices } from '../../../daemon/services/bind.ts'
import { Store } from '../../../daemon/store/store.ts'
import { frxMetadata } from '../../../genesis/document.ts'
import { modules } from '../../../modules/index.ts'
import { recordingLog } from '../abci/handler.ts'
import { CHAIN_ID, TestChain, type User } from '../app/chain.ts'
import { eventually } from '../eventually.ts'
import { freePorts } from '../ports.ts'
import { tempDir } from '../temp-dir.ts'
import { cometBinary } from './comet.ts'

/** A chain of one validator under a real CometBFT, with the users of a TestChain and slots of 100 ms. */
export interface RunningNode {
  readonly chain: Chain
  readonly rpc: CometRpc
  readonly rpcUrl: string
  readonly restUrl: string
  readonly users: ReadonlyMap<string, User>
  /** What REST reported as its own faults. */
  readonly faults: unknown[]
  stop(): Promise<void>
}

export async function runNode(
  restConfig: (users: ReadonlyMap<string, User>) => Partial<RestConfig> = () => ({}),
): Promise<RunningNode> {
  const binary = await cometBinary()
  const dir = tempDir()
  const model = await TestChain.start({ metadata: [frxMetadata] })
  const { users } = model
  const appState = model.appState()
  await model.stop()

  const home = join(dir.path, 'home')
  const [rpcPort, p2pPort] = await freePorts(2)
  const rpcUrl = `http://127.0.0.1:${rpcPort}`
  const appAddress = `unix://${join(dir.path, 'app.sock')}`
  mkdirSync(join(home, 'config'), { recursive: true, mode: 0o700 })
  writeCometConfig(home, {
    moniker: 'test',
    appAddress,
    rpcAddress: `tcp://127.0.0.1:${rpcPort}`,
    p2pAddress: `tcp://127.0.0.1:${p2pPort}`,
    slotMs: 100,
    localNetwork: true,
  })
  ensureKeys(home, (which) =>
    which === 'validator'
      ? cometKey(createHash('sha256').update('validator validator').digest())
      : cometKey(),
  )
  writeFileSync(
    join(home, 'config/genesis.json'),
    JSON.stringify({
      genesis_time: '2026-01-01T00:00:00Z',
      chain_id: CHAIN_ID,
      initial_height: '1',
      consensus_params: {
        block: { max_bytes: '4194304', max_gas: '100000000' },
        evidence: { max_age_num_blocks: '100', max_age_duration: '172800000000000', max_bytes: '10000' },
        validator: { pub_key_types: ['ed25519'] },
        version: { app: '1' },
        abci: { vote_extensions_enable_height: '1' },
      },
      app_hash: '',
      app_state: appState,
    }),
  )

  const log = recordingLog()
  const faults: unknown[] = []
  const stores = modules.flatMap((m) => m.stores)
  const store = await Store.open({ path: join(dir.path, 'store'), stores, pruning: { kind: 'nothing' } })
  const chain = new Chain({ store, modules, version: '0.0.0', minimumGasPrices: [], log })
  const rpc = cometRpc(rpcUrl)
  const blocks = new CommittedBlocks()
  bindServices({ chain, rpc, facts: { appName: 'fornaxd', version: '0.0.0', minimumGasPrices: '0afrx' } })
  const server = await serveAbci({
    address: appAddress,
    handler: observed(chain, createApp(chain), {
      metrics: createMetrics({ processMetrics: false }),
      blocks,
      blockAge: new BlockAge(5_000),
      pulse: new Pulse({ log, slotMs: 5_000, nameOf: String }),
    }),
    log,
    onFatal: (error) => faults.push(error),
  })
  const comet = await superviseComet({ binary, home, rpcUrl, log })
  const rest = await serveRest({
    chain,
    rpc,
    events: new EventFeed(chain, rpc, blocks),
    config: {
      host: '127.0.0.1',
      port: 0,
      corsOrigins: [],
      writesPerSecond: 1000,
      version: '0.0.0',
      commitTimeoutMs: 10_000,
      ...restConfig(users),
    },
    log: { error: (fields, message) => faults.push([message, fields]) },
  })
  await eventually('a block', () => chain.store.height > 1, 30_000)
  return {
    chain,
    rpc,
    rpcUrl,
    restUrl: rest.url,
    users,
    faults,
    async stop() {
      await rest.close()
      await comet.stop()
      await server.close()
      await store.close()
      dir.remove()
    },
  }
}

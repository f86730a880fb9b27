import { join } from 'node:path'
import { stringify, type TomlTable } from 'smol-toml'
import { writeFileAtomically } from '../files.ts'
import { COMETBFT_VERSION } from './binary.ts'

/** State sync: start from a snapshot that peers offer, checked against a trusted header. */
export interface StateSync {
  /** RPC addresses of at least two nodes. */
  readonly rpcServers: readonly string[]
  readonly trustHeight: number
  /** Hex. */
  readonly trustHash: string
  /** Well below the unbonding time. */
  readonly trustPeriodHours: number
}

/** The settings that differ from node to node. Addresses are `tcp://host:port`, or `unix:///path` for the application. */
export interface CometSettings {
  readonly moniker: string
  /** The ABCI server's address. */
  readonly appAddress: string
  readonly rpcAddress: string
  readonly p2pAddress: string
  /** `host:port` told to peers, where it is not the listening one. */
  readonly externalAddress?: string
  /** `nodeid@host:port` each. */
  readonly persistentPeers?: readonly string[]
  readonly seeds?: readonly string[]
  /** Time from block to block. Below 1000: the profile of a test net. */
  readonly slotMs: number
  /** Peers may share an address, and addresses need not be routable; no peer exchange. */
  readonly localNetwork?: boolean
  /** Origins whose browsers may use the RPC; `*` for any. */
  readonly corsOrigins?: readonly string[]
  readonly mempool?: {
    /** Default 10,000 for each second of a slot, at least 5,000. */
    readonly maxTxs?: number
    readonly maxBytes?: number
    readonly maxTxBytes?: number
    readonly recheck?: boolean
  }
  readonly stateSync?: StateSync
  /** CometBFT's own: `info`, or by module as in `consensus:debug,*:error`. */
  readonly logLevel?: string
  /** Any setting by section and name, over all of the above; section `''` is the top of the file. */
  readonly overrides?: Readonly<Record<string, TomlTable>>
}

interface Timing {
  readonly timeout_propose: string
  readonly timeout_prevote: string
  readonly timeout_precommit: string
  readonly timeout_commit: string
  readonly skip_timeout_commit: boolean
  readonly peer_gossip_sleep_duration: string
}

const ms = (value: number) => `${Math.round(value)}ms`

/**
 * The consensus timeouts for a slot. Their deltas are 1 ms throughout: rounds of a halted network must not grow
 * longer and longer. In production a precommit timeout of a second is what paces those rounds. A slot up to 100 ms
 * moves on as soon as all precommits are in, which may cut off late vote extensions.
 */
export function timing(slotMs: number): Timing {
  if (!(slotMs > 0)) throw new RangeError(`slotMs must be positive, it is ${slotMs}`)
  if (slotMs < 1000) {
    return {
      timeout_propose: ms(Math.max(40, slotMs)),
      timeout_prevote: ms(Math.max(10, slotMs / 5)),
      timeout_precommit: ms(Math.max(10, slotMs)),
      timeout_commit: ms(Math.max(10, slotMs - 30)),
      skip_timeout_commit: slotMs <= 100,
      peer_gossip_sleep_duration: '5ms',
    }
  }
  return {
    timeout_propose: '3s',
    timeout_prevote: '1s',
    timeout_precommit: '1s',
    timeout_commit: ms(slotMs - 400),
    skip_timeout_commit: false,
    peer_gossip_sleep_duration: '100ms',
  }
}

/** A whole `config.toml` for CometBFT 0.38, as a table. */
export function cometConfig(settings: CometSettings): TomlTable {
  const table: TomlTable = {
    version: COMETBFT_VERSION,
    proxy_app: settings.appAddress,
    moniker: settings.moniker,
    db_backend: 'goleveldb',
    db_dir: 'data',
    log_level: settings.logLevel ?? 'info',
    log_format: 'json',
    genesis_file: 'config/genesis.json',
    priv_validator_key_file: 'config/priv_validator_key.json',
    priv_validator_state_file: 'data/priv_validator_state.json',
    priv_validator_laddr: '',
    node_key_file: 'config/node_key.json',
    abci: 'socket',
    filter_peers: false,
    event_bus_buffer_capacity: 0,
    rpc: rpc(settings),
    p2p: p2p(settings),
    mempool: mempool(settings),
    statesync: stateSync(settings.stateSync),
    blocksync: { version: 'v0' },
    consensus: {
      wal_file: 'data/cs.wal/wal',
      ...timing(settings.slotMs),
      timeout_propose_delta: '1ms',
      timeout_prevote_delta: '1ms',
      timeout_precommit_delta: '1ms',
      double_sign_check_height: 0,
      create_empty_blocks: true,
      create_empty_blocks_interval: '0s',
      peer_query_maj23_sleep_duration: '2s',
      block_time_tolerance: '1m0s',
    },
    storage: { discard_abci_responses: false },
    tx_index: { indexer: 'kv', 'psql-conn': '' },
    instrumentation: {
      prometheus: false,
      prometheus_listen_addr: '127.0.0.1:26660',
      max_open_connections: 3,
      namespace: 'cometbft',
    },
  }
  for (const [section, values] of Object.entries(settings.overrides ?? {})) {
    const target = section === '' ? table : table[section]
    if (typeof target !== 'object') throw new RangeError(`config.toml has no section ${section}`)
    Object.assign(target, values)
  }
  return table
}

function rpc({ rpcAddress, corsOrigins = [] }: CometSettings): TomlTable {
  return {
    laddr: rpcAddress,
    cors_allowed_origins: [...corsOrigins],
    cors_allowed_methods: ['HEAD', 'GET', 'POST'],
    cors_allowed_headers: ['Origin', 'Accept', 'Content-Type', 'X-Requested-With', 'X-Server-Time'],
    grpc_laddr: '',
    grpc_max_open_connections: 900,
    unsafe: false,
    max_open_connections: 900,
    max_subscription_clients: 100,
    max_subscriptions_per_client: 20,
    experimental_subscription_buffer_size: 1000,
    experimental_websocket_write_buffer_size: 1000,
    experimental_close_on_slow_client: false,
    timeout_broadcast_tx_commit: '15s',
    max_request_batch_size: 20,
    max_body_bytes: 2_000_000,
    max_header_bytes: 1_048_576,
    tls_cert_file: '',
    tls_key_file: '',
    pprof_laddr: '',
  }
}

function p2p(settings: CometSettings): TomlTable {
  const local = settings.localNetwork ?? false
  return {
    laddr: settings.p2pAddress,
    external_address: settings.externalAddress ?? '',
    seeds: (settings.seeds ?? []).join(','),
    persistent_peers: (settings.persistentPeers ?? []).join(','),
    addr_book_file: 'config/addrbook.json',
    addr_book_strict: !local,
    max_num_inbound_peers: 40,
    max_num_outbound_peers: 10,
    unconditional_peer_ids: '',
    persistent_peers_max_dial_period: local ? '1s' : '1m0s',
    flush_throttle_timeout: settings.slotMs < 1000 ? '10ms' : '100ms',
    max_packet_msg_payload_size: 1024,
    send_rate: 5_120_000,
    recv_rate: 5_120_000,
    pex: !local,
    seed_mode: false,
    private_peer_ids: '',
    allow_duplicate_ip: local,
    handshake_timeout: '20s',
    dial_timeout: '3s',
  }
}

/**
 * After each block CometBFT has all that is left in the mempool checked again, 60 µs each with its own part, and decides
 * nothing meanwhile: a full mempool may take a third of a slot.
 */
const defaultMempoolSize = (slotMs: number): number => Math.max(5000, Math.round(slotMs * 5))

function mempool({ slotMs, mempool: limits = {} }: CometSettings): TomlTable {
  const maxTxs = limits.maxTxs ?? defaultMempoolSize(slotMs)
  return {
    type: 'flood',
    recheck: limits.recheck ?? true,
    recheck_timeout: '10s',
    broadcast: true,
    wal_dir: '',
    size: maxTxs,
    max_txs_bytes: limits.maxBytes ?? 268_435_456,
    cache_size: maxTxs * 2,
    'keep-invalid-txs-in-cache': false,
    max_tx_bytes: limits.maxTxBytes ?? 1_048_576,
    max_batch_bytes: 0,
    experimental_max_gossip_connections_to_persistent_peers: 0,
    experimental_max_gossip_connections_to_non_persistent_peers: 0,
  }
}

function stateSync(sync: StateSync | undefined): TomlTable {
  return {
    enable: sync !== undefined,
    rpc_servers: (sync?.rpcServers ?? []).join(','),
    trust_height: sync?.trustHeight ?? 0,
    trust_hash: sync?.trustHash ?? '',
    trust_period: `${sync?.trustPeriodHours ?? 168}h0m0s`,
    discovery_time: '15s',
    temp_dir: '',
    chunk_request_timeout: '10s',
    chunk_fetchers: '4',
    max_snapshot_chunks: 100_000,
  }
}

/** Writes `config/config.toml` under `home`, whole; what was there is replaced. */
export function writeCometConfig(home: string, settings: CometSettings): void {
  const head = '# Written by fornaxd at each start: put changes into its own settings.\n\n'
  writeFileAtomically(join(home, 'config/config.toml'), head + stringify(cometConfig(settings)))
}

import {
  abciAddress,
  duration,
  flag,
  integer,
  type Kind,
  list,
  listenAddress,
  oneOf,
  prices,
  text,
} from './kinds.ts'

export interface Setting<T> {
  readonly kind: Kind<T>
  readonly initial: T
  /** One line for the file and for the flag's help. */
  readonly comment: string
}

const setting = <T>(kind: Kind<T>, initial: NoInfer<T>, comment: string): Setting<T> => ({
  kind,
  initial,
  comment,
})
const at = (host: string, port: number) => ({ host, port })

const keyName = text('"" or the name of a key in the keyring', /^([A-Za-z0-9][A-Za-z0-9._-]{0,63})?$/)
const peers = list('peers as "id@host:port"', /^[0-9a-f]{40}@[^\s@,]{1,253}:\d{1,5}$/)
const publicUrl = text(
  '"" or a URL such as "https://rest.example.org"',
  /^(https?:\/\/[A-Za-z0-9.[\]:-]{1,253}(\/[A-Za-z0-9._~/-]{0,200})?)?$/,
)
const origins = list('origins such as "https://example.org", or "*"', /^(\*|https?:\/\/[^\s/]{1,253})$/)
const hour = 3_600_000

/** Settings above the first section of app.toml. */
export const general = {
  moniker: setting(
    text('1 to 70 printable ASCII characters', /^[\x20-\x7e]{1,70}$/),
    'fornax',
    "The node's name, as others see it.",
  ),
  minimum_gas_prices: setting(
    prices,
    [{ amount: 1_000_000_000n, denom: 'afrx' }],
    'What this node asks for a unit of gas before it takes a transaction into its mempool. It binds this node only.',
  ),
  slot_time: setting(
    duration(20, hour),
    5000,
    'About the time from one block to the next; a validator alone is a bit faster. All validators of a chain should have the same.',
  ),
}

/** Settings of each section of app.toml. */
export const sections = {
  store: {
    pruning: setting(
      oneOf('default', 'everything', 'nothing', 'custom'),
      'default',
      'Which past heights stay readable: "default" the last 362880, "everything" only the last 2, "nothing" all, "custom" by the two settings below.',
    ),
    keep_recent: setting(integer(2, 1_000_000_000), 362_880, 'Heights to keep, where pruning is "custom".'),
    interval: setting(
      integer(1, 1_000_000),
      10,
      'Blocks between two rounds of pruning, where pruning is "custom".',
    ),
    max_disk_mb: setting(
      integer(0, 1_000_000_000),
      0,
      'Megabytes of the database above which the oldest heights go as well; 0 for no such limit.',
    ),
  },
  classifier: {
    models: setting(
      text('"" or a folder', /^[^\0]{0,1000}$/),
      '',
      'A folder with further model files (.onnx), for a model that governance has named. "": the folder "models" in the home.',
    ),
  },
  agents: {
    telemetry: setting(
      flag,
      true,
      "Whether a validator's node tells its host's telemetry (cpu, connections, latency, traffic) in its votes.",
    ),
    ban_marks: setting(flag, true, "Whether a validator's node signs a mark under each ban."),
  },
  abci: {
    address: setting(
      abciAddress,
      '',
      'Where CometBFT reaches the application. "": a unix socket in the home folder, or in the temporary folder where that path is too long.',
    ),
  },
  comet: {
    external: setting(
      flag,
      false,
      'Whether the operator runs CometBFT; otherwise fornaxd starts and watches it.',
    ),
    rpc_address: setting(listenAddress, at('127.0.0.1', 26_657), "Where CometBFT's RPC listens."),
    public_rpc_url: setting(
      publicUrl,
      '',
      'How others reach CometBFT\'s RPC, which /chain.json and /keplr.json tell. "": the host of the REST interface, at the port above.',
    ),
    p2p_address: setting(listenAddress, at('0.0.0.0', 26_656), 'Where other nodes reach this one.'),
    external_address: setting(
      text('"" or "host:port"', /^([^\s]{1,253}:\d{1,5})?$/),
      '',
      'The address that other nodes are told, where it is not the one listened on.',
    ),
    seeds: setting(peers, [], 'Nodes asked for further peers.'),
    persistent_peers: setting(peers, [], 'Nodes always kept connected.'),
    private_network: setting(
      flag,
      false,
      'For networks on one machine or inside a firm: private addresses and several peers at one address are allowed, and peers are not exchanged.',
    ),
    mempool_size: setting(
      integer(0, 10_000_000),
      0,
      'Transactions the mempool holds; 0 for 5,000 a second of slot_time, at least 5,000. After each block all that is left is checked again.',
    ),
    log_level: setting(
      text('a CometBFT log level, such as "info" or "consensus:debug,*:error"', /^[a-z0-9*:,_-]{1,200}$/),
      'info',
      "Level of CometBFT's log lines.",
    ),
  },
  rest: {
    enabled: setting(flag, true, 'Whether the REST interface is served.'),
    address: setting(listenAddress, at('127.0.0.1', 1317), 'Where the REST interface listens.'),
    cors_origins: setting(origins, [], 'Web pages of these origins may read answers in a browser.'),
    tokens_over_http: setting(
      flag,
      false,
      'Whether bearer tokens are taken on an address that others reach: HTTP shows them to everybody on the way.',
    ),
    loopback_key: setting(
      keyName,
      '',
      'The key in whose name programs on this machine may write without a token. Development chains only.',
    ),
    public_url: setting(
      publicUrl,
      '',
      'How others reach the REST interface, which /chain.json and /keplr.json tell. "": as whoever asks reached it.',
    ),
    writes_per_second: setting(
      integer(1, 1_000_000),
      20,
      'Writes a second that one client address may send.',
    ),
  },
  jsonrpc: {
    enabled: setting(flag, true, "Whether Ethereum's JSON-RPC is served."),
    address: setting(
      listenAddress,
      at('127.0.0.1', 8545),
      'Where JSON-RPC listens, for HTTP and WebSockets alike.',
    ),
    cors_origins: setting(
      origins,
      [],
      'Web pages of these origins may read answers in a browser and open WebSockets.',
    ),
    vhosts: setting(
      list('host names such as "rpc.example.org", or "*"', /^(\*|[A-Za-z0-9.-]{1,253})$/),
      ['localhost'],
      'Names by which clients may reach the node; under any other they are refused. Addresses need no name.',
    ),
    max_batch: setting(integer(1, 100_000), 1000, 'Requests of one batch.'),
    max_body_bytes: setting(
      integer(1024, 134_217_728),
      5_242_880,
      'Length of one request, of a batch, and of a message of a WebSocket.',
    ),
    max_answer_bytes: setting(
      integer(1024, 1_073_741_824),
      25_000_000,
      'Length of one answer, or of a batch of them; what is longer is answered with an error.',
    ),
    request_timeout: setting(
      duration(100, hour),
      30_000,
      'Time that a request, or a batch, may take; what takes longer is answered with an error.',
    ),
    gas_cap: setting(integer(21_000, 10_000_000_000), 50_000_000, 'Gas that one eth_call may use.'),
    call_timeout: setting(
      duration(100, hour),
      5_000,
      'Time that a call, an estimate or a search for logs may run. They run beside consensus, one at a time.',
    ),
    max_log_blocks: setting(integer(1, 10_000_000), 10_000, 'Blocks that one search for logs may look at.'),
    max_websockets: setting(
      integer(0, 1_000_000),
      1000,
      'Open WebSockets of all clients; 0 for none at all.',
    ),
    max_websockets_per_client: setting(integer(0, 1_000_000), 100, 'Open WebSockets of one client address.'),
  },
  metrics: {
    enabled: setting(flag, true, 'Whether Prometheus metrics are served.'),
    address: setting(listenAddress, at('127.0.0.1', 26_660), 'Where metrics are served, under /metrics.'),
  },
  keyring: {
    backend: setting(
      oneOf('file', 'test'),
      'file',
      '"file": keys encrypted under a passphrase. "test": keys open on the disk, for development only.',
    ),
  },
  faucet: {
    enabled: setting(
      flag,
      false,
      "Give coins to whoever asks. Refused unless the chain's genesis says app_state.fornax.development = true.",
    ),
    key: setting(keyName, '', 'The key that the coins come from.'),
    amount: setting(
      prices,
      [{ amount: 10_000_000_000_000_000_000n, denom: 'afrx' }],
      'What is given at a time.',
    ),
    interval: setting(
      duration(0, 24 * hour),
      60_000,
      'Time between two gifts to one address, and to one client. "0s": none.',
    ),
  },
  log: {
    level: setting(
      oneOf('trace', 'debug', 'info', 'warn', 'error'),
      'info',
      'The least severe lines that are written.',
    ),
    format: setting(oneOf('text', 'json'), 'text', '"text" for people, "json" for machines.'),
  },
}

type Values<S> = { -readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never }

/** The contents of app.toml, durations in milliseconds. */
export type Config = Values<typeof general> & {
  -readonly [K in keyof typeof sections]: Values<(typeof sections)[K]>
}

/** Every setting with its dotted key, in the file's order. */
export function* everySetting(): Generator<{
  readonly section: string | undefined
  readonly key: string
  readonly path: string
  readonly setting: Setting<unknown>
}> {
  for (const [key, setting] of Object.entries(general))
    yield { section: undefined, key, path: key, setting: setting as Setting<unknown> }
  for (const [section, settings] of Object.entries(sections))
    for (const [key, setting] of Object.entries(settings))
      yield { section, key, path: `${section}.${key}`, setting: setting as Setting<unknown> }
}

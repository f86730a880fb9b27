import { Unavailable } from '../../core/error.ts'

/** CometBFT answered with an error. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  /** CometBFT's longer text, where it gave one. */
  readonly data: string

  constructor(method: string, code: number, message: string, data: string) {
    super(`${method}: ${message}${data === '' ? '' : `: ${data}`}`)
    this.code = code
    this.data = data
  }
}

/** CometBFT did not answer, or not with JSON-RPC. */
export class RpcUnavailable extends Unavailable {
  override readonly name = 'RpcUnavailable'
}

/** Numbers of 64 bits are decimal strings, hashes upper-case hex, other bytes base64, times RFC 3339. */
export interface Status {
  node_info: {
    protocol_version: { p2p: string; block: string; app: string }
    id: string
    network: string
    version: string
    /** Upper-case hex. */
    channels: string
    moniker: string
    listen_addr: string
    other: { tx_index: string; rpc_address: string }
  }
  sync_info: {
    latest_block_hash: string
    latest_app_hash: string
    latest_block_height: string
    latest_block_time: string
    earliest_block_height: string
    catching_up: boolean
  }
  validator_info: { address: string; pub_key: { type: string; value: string }; voting_power: string }
}

export interface EventJson {
  type: string
  attributes: { key: string; value: string; index?: boolean }[] | null
}

export interface TxResultJson {
  code: number
  data: string | null
  log: string
  info: string
  gas_wanted: string
  gas_used: string
  events: EventJson[] | null
  codespace: string
}

export interface BroadcastSync {
  code: number
  /** Upper-case hex. */
  data: string
  log: string
  codespace: string
  hash: string
}

export interface BroadcastCommit {
  check_tx: TxResultJson
  tx_result: TxResultJson
  hash: string
  height: string
}

export interface TxJson {
  hash: string
  height: string
  index: number
  tx_result: TxResultJson
  tx: string
}

export interface BlockIdJson {
  hash: string
  parts: { total: number; hash: string }
}

export interface HeaderJson {
  version: { block: string; app?: string }
  chain_id: string
  height: string
  time: string
  last_block_id: BlockIdJson
  last_commit_hash: string
  data_hash: string
  validators_hash: string
  next_validators_hash: string
  consensus_hash: string
  app_hash: string
  last_results_hash: string
  evidence_hash: string
  proposer_address: string
}

export interface CommitJson {
  height: string
  round: number
  block_id: BlockIdJson
  signatures: {
    block_id_flag: number
    validator_address: string
    timestamp: string
    signature: string | null
  }[]
}

export interface BlockJson {
  block_id: BlockIdJson
  block: {
    header: HeaderJson
    data: { txs: string[] | null }
    evidence: { evidence: { type: string; value: unknown }[] | null }
    last_commit: CommitJson
  }
}

export interface BlockResults {
  height: string
  txs_results: TxResultJson[] | null
  finalize_block_events: EventJson[] | null
  validator_updates: { pub_key: unknown; power?: string }[] | null
  consensus_param_updates: unknown
  app_hash: string
}

export interface Validators {
  block_height: string
  validators: {
    address: string
    pub_key: { type: string; value: string }
    voting_power: string
    proposer_priority: string
  }[]
  count: string
  total: string
}

/** Bytes of a connection in one direction, decimal. */
interface FlowJson {
  /** When the connection began. */
  Start: string
  Bytes: string
  /** Bytes a second since then. */
  AvgRate: string
}

export interface PeerJson {
  node_info: { id: string; listen_addr: string }
  connection_status: { SendMonitor: FlowJson; RecvMonitor: FlowJson }
  remote_ip: string
}

/** Power whose votes of the round have come, of all power: `200/400`. */
export interface VotesHeard {
  readonly prevotes: string
  readonly precommits: string
}

/** Where consensus is. */
export interface Position {
  readonly height: number
  readonly round: number
  readonly step: number
  /** Absent where CometBFT does not tell. */
  readonly votes?: VotesHeard
}

interface RoundStateJson {
  'height/round/step': string
  height_vote_set?: { round: number; prevotes_bit_array: string; precommits_bit_array: string }[] | null
}

function positionOf({ 'height/round/step': at, height_vote_set }: RoundStateJson): Position {
  const [height = 0, round = 0, step = 0] = at.split('/').map(Number)
  const set = height_vote_set?.find((votes) => votes.round === round)
  const prevotes = powerIn(set?.prevotes_bit_array)
  const precommits = powerIn(set?.precommits_bit_array)
  return { height, round, step, ...(prevotes && precommits && { votes: { prevotes, precommits } }) }
}

/** Of `BA{4:xx__} 200/400 = 0.50`. */
const powerIn = (bitArray: string | undefined): string | undefined =>
  / (\d+\/\d+) =/.exec(bitArray ?? '')?.[1]

/** The questions that the node itself asks of its CometBFT. Every call rejects with RpcError or RpcUnavailable. */
export interface CometRpc {
  status(): Promise<Status>
  position(): Promise<Position>
  peerCount(): Promise<number>
  peers(): Promise<PeerJson[]>
  /** Transactions waiting in the mempool. */
  mempoolSize(): Promise<number>
  genesis(): Promise<{ genesis: Record<string, unknown> }>
  /** The block at `height`, by default the latest. */
  block(height?: bigint): Promise<BlockJson>
  blockResults(height?: bigint): Promise<BlockResults>
  /** Up to 100 a page, the first page being 1. */
  validators(height?: bigint, page?: number): Promise<Validators>
  /** Rejects with RpcError ("not found") for a transaction that is in no block. */
  tx(hash: Uint8Array): Promise<TxJson>
  txSearch(query: string, options?: { page?: number; perPage?: number; descending?: boolean }): Promise<Found>
  /** Resolves when CheckTx has judged the transaction. */
  broadcastTxSync(tx: Uint8Array): Promise<BroadcastSync>
  /** Resolves when the transaction is in a block, or CheckTx refused it. */
  broadcastTxCommit(tx: Uint8Array): Promise<BroadcastCommit>
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

const PATIENCE_MS = 10_000

/** A client of CometBFT's JSON-RPC. `url` is `http://host:port`; a call takes `timeoutMs` (default 10 s) at most. */
export function cometRpc(url: string, { timeoutMs = PATIENCE_MS }: { timeoutMs?: number } = {}): CometRpc {
  const call = <T>(method: string, params: object = {}, limitMs = timeoutMs) =>
    callComet<T>(url, method, params, limitMs)
  const at = (height: bigint | undefined) => (height === undefined ? {} : { height: height.toString() })
  return {
    status: () => call('status'),
    position: async () =>
      positionOf((await call<{ round_state: RoundStateJson }>('consensus_state')).round_state),
    peerCount: async () => Number((await call<{ n_peers: string }>('net_info')).n_peers),
    peers: async () => (await call<{ peers: PeerJson[] | null }>('net_info')).peers ?? [],
    mempoolSize: async () =>
      Number((await call<{ total: string }>('num_unconfirmed_txs', { limit: '1' })).total),
    genesis: () => call('genesis'),
    block: (height) => call('block', at(height)),
    blockResults: (height) => call('block_results', at(height)),
    validators: (height, page = 1) => call('validators', { ...at(height), page: `${page}`, per_page: '100' }),
    tx: (hash) => call('tx', { hash: base64(hash), prove: false }),
    txSearch: (query, { page = 1, perPage = 30, descending = false } = {}) =>
      call<Found>('tx_search', {
        query,
        prove: false,
        page: `${page}`,
        per_page: `${perPage}`,
        order_by: descending ? 'desc' : 'asc',
      }).catch(unreadableQuery),
    broadcastTxSync: (tx) => call('broadcast_tx_sync', { tx: base64(tx) }),
    broadcastTxCommit: (tx) => call('broadcast_tx_commit', { tx: base64(tx) }, Math.max(timeoutMs, 20_000)),
  }
}

interface Found {
  readonly txs: TxJson[]
  readonly total_count: string
}

/** CometBFT says of a query that it cannot read what its parser met: for one that ends too early, `EOF` and no more. */
function unreadableQuery(error: unknown): never {
  if (!(error instanceof RpcError)) throw error
  const met = error.data === '' ? error.message.slice('tx_search: '.length) : error.data
  const end = /(?:^|: )EOF$/.test(met)
  if (!end && !/^(?:failed to parse query: )?offset \d+: /.test(met)) throw error
  const what = end ? 'it ends in the midst of a condition' : met.replace('failed to parse query: ', '')
  throw new RpcError(
    'tx_search',
    error.code,
    'Invalid params',
    `failed to parse query: ${what}; one is such as message.sender='fornax1…' AND tx.height>5`,
  )
}

/** The result of a method. Rejects with RpcError or RpcUnavailable. */
export async function callComet<T>(
  url: string,
  method: string,
  params: object,
  timeoutMs = PATIENCE_MS,
): Promise<T> {
  let body: { result?: T; error?: { code: number; message: string; data?: string } } | null
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    body = JSON.parse(await response.text())
  } catch (error) {
    throw new RpcUnavailable(`${method}: CometBFT at ${url} ${whyNot(error, timeoutMs)}`, { cause: error })
  }
  if (body?.error) throw new RpcError(method, body.error.code, body.error.message, body.error.data ?? '')
  if (body?.result === undefined) {
    throw new RpcUnavailable(`${method}: CometBFT at ${url} does not speak JSON-RPC`)
  }
  return body.result
}

function whyNot(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'does not answer'
  if (error.name === 'TimeoutError') return `did not answer within ${timeoutMs} ms`
  if (error instanceof SyntaxError) return 'does not speak JSON-RPC'
  const cause = error.cause
  const code =
    typeof cause === 'object' && cause !== null && 'code' in cause ? ` (${String(cause.code)})` : ''
  return `does not answer${code}`
}

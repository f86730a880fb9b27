import { createServer } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** The node's measurements, each under `fornax_…`, and those of the Node.js process. */
export interface Metrics {
  readonly registry: Registry
  /** Of the last committed block. */
  readonly height: Gauge
  /** Rounds in a row without a commit (0 in health). */
  readonly degradedRounds: Gauge
  readonly halted: Gauge
  /** Executed transactions, by `result`: ok or failed. */
  readonly txs: Counter<'result'>
  /** Transactions CometBFT holds. */
  readonly mempoolTxs: Gauge
  /** Seconds in each call, by `method` as ABCI names it. */
  readonly abciSeconds: Histogram<'method'>
  /** Seconds from the begin of Commit to the state being on disk. */
  readonly commitSeconds: Histogram
  /** Seconds to answer a REST call, by its route's pattern and the status. */
  readonly restSeconds: Histogram<'route' | 'status'>
  /** Seconds to answer a JSON-RPC call, by its method. */
  readonly jsonRpcSeconds: Histogram<'method'>
  readonly jsonRpcErrors: Counter<'method' | 'code'>
  readonly jsonRpcConnections: Gauge
  readonly jsonRpcSubscriptions: Gauge<'kind'>
  readonly storeBytes: Gauge
  readonly peers: Gauge
  readonly cometRestarts: Counter
  /** Seconds from a block's state to this node's scores. */
  readonly inferenceSeconds: Histogram
  readonly inferenceFailures: Counter
  /** The agreed score of each validator on the roster, 0 to 1. */
  readonly scores: Gauge<'validator'>
  /** Those of rounds whose commit is withheld too. */
  readonly penalties: Counter<'penalty'>
  readonly similarity: Gauge
  readonly zenithSize: Gauge
  /** 1 for each fault of this validator's telemetry: cpu, latency, clock, stale. */
  readonly telemetryFaults: Gauge<'fault'>
  /** 1 for how the chain stands to this node's validator: good, horizon, out, jailed, banned. */
  readonly ownStanding: Gauge<'standing'>
  /** Transactions of this node's agents, by kind and `result`: sent or failed. */
  readonly agentTxs: Counter<'kind' | 'result'>
  readonly telemetrySamples: Counter<'result'>
}

/** From 50 µs, a CheckTx, to 10 s, a block that is in trouble. */
const SECONDS = [0.00005, 0.0002, 0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** A new set of measurements with a registry of its own. `processMetrics` (default true) adds the process's. */
export function createMetrics({ processMetrics = true }: { processMetrics?: boolean } = {}): Metrics {
  const registry = new Registry()
  if (processMetrics) collectDefaultMetrics({ register: registry })
  const of = (name: string, help: string) => ({ name: `fornax_${name}`, help, registers: [registry] })
  return {
    registry,
    height: new Gauge(of('height', 'Height of the last committed block')),
    degradedRounds: new Gauge(of('degraded_rounds', 'Rounds in a row without a commit')),
    halted: new Gauge(of('halted', '1 while the node is halted until its operator clears that')),
    txs: new Counter({ ...of('txs_total', 'Transactions executed in blocks'), labelNames: ['result'] }),
    mempoolTxs: new Gauge(of('mempool_txs', 'Transactions waiting in the mempool')),
    abciSeconds: new Histogram({
      ...of('abci_seconds', 'Time spent in each ABCI call'),
      labelNames: ['method'],
      buckets: SECONDS,
    }),
    commitSeconds: new Histogram({
      ...of('commit_seconds', 'Time to write a block to disk'),
      buckets: SECONDS,
    }),
    restSeconds: new Histogram({
      ...of('rest_seconds', 'Time to answer each REST call'),
      labelNames: ['route', 'status'],
      buckets: [0.001, 0.01, 0.1, 1, 10],
    }),
    jsonRpcSeconds: new Histogram({
      ...of('jsonrpc_seconds', 'Time to answer each JSON-RPC call'),
      labelNames: ['method'],
      buckets: [0.001, 0.01, 0.1, 1, 10],
    }),
    jsonRpcErrors: new Counter({
      ...of('jsonrpc_errors_total', 'JSON-RPC calls that were answered with an error'),
      labelNames: ['method', 'code'],
    }),
    jsonRpcConnections: new Gauge(of('jsonrpc_connections', 'Open WebSockets of JSON-RPC')),
    jsonRpcSubscriptions: new Gauge({
      ...of('jsonrpc_subscriptions', 'Subscriptions over JSON-RPC'),
      labelNames: ['kind'],
    }),
    storeBytes: new Gauge(of('store_bytes', 'Size of the state on disk')),
    peers: new Gauge(of('peers', 'Connected peers')),
    cometRestarts: new Counter(of('comet_restarts_total', 'Times CometBFT was started again')),
    inferenceSeconds: new Histogram({
      ...of('inference_seconds', 'Time to make the scores of a block'),
      buckets: SECONDS,
    }),
    inferenceFailures: new Counter(of('inference_failures_total', 'Blocks whose scores could not be made')),
    scores: new Gauge({
      ...of('validator_score', "A validator's agreed score, 0 to 1"),
      labelNames: ['validator'],
    }),
    penalties: new Counter({
      ...of('penalties_total', 'Penalties of the Decision Module that began or changed'),
      labelNames: ['penalty'],
    }),
    similarity: new Gauge(
      of('similarity_ratio', 'Share of the Zenith Pool by power that agreed in the last round'),
    ),
    zenithSize: new Gauge(of('zenith_size', 'Members of the Zenith Pool')),
    telemetryFaults: new Gauge({
      ...of(
        'telemetry_fault',
        "1 where this validator's telemetry cannot be: `fornaxd agent check` tells why",
      ),
      labelNames: ['fault'],
    }),
    ownStanding: new Gauge({
      ...of('own_standing', "1 for this validator's standing: good, horizon, out, jailed or banned"),
      labelNames: ['standing'],
    }),
    agentTxs: new Counter({
      ...of('agent_txs_total', "Transactions of this node's agents: ban_mark, sent or failed"),
      labelNames: ['kind', 'result'],
    }),
    telemetrySamples: new Counter({
      ...of('telemetry_samples_total', 'Samples of this host for the votes to tell: taken or failed'),
      labelNames: ['result'],
    }),
  }
}

export interface MetricsServer {
  /** The real one where port 0 was asked for. */
  readonly port: number
  close(): Promise<void>
}

/** Serves `GET /metrics` in the Prometheus text format. Rejects where it cannot listen. */
export async function serveMetrics(options: {
  readonly metrics: Metrics
  readonly host: string
  readonly port: number
}): Promise<MetricsServer> {
  const { registry } = options.metrics
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, () => resolve())
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Has a gauge read anew at each scrape; NaN where that fails, which Prometheus shows as a gap. */
export function sampled(gauge: Gauge, read: () => Promise<number>): void {
  Object.assign(gauge, {
    async collect() {
      gauge.set(await read().catch(() => Number.NaN))
    },
  })
}

import { sampled, serveMetrics } from '../metrics.ts'
import { showAgents } from './agent-gauges.ts'
import { listening } from './listening.ts'
import type { NodeCore } from './options.ts'

/** Serves the node's measurements to Prometheus, where they are to be. */
export async function startMetrics({
  config,
  parts,
  chain,
  rpc,
  metrics,
  telemetry,
  standing,
}: NodeCore): Promise<void> {
  if (!config.metrics.enabled) return
  const { host, port } = config.metrics.address
  sampled(metrics.mempoolTxs, () => rpc.mempoolSize())
  sampled(metrics.peers, () => rpc.peerCount())
  showAgents(chain, metrics, { telemetry, standing })
  await parts.start('metrics', {
    begin: () =>
      listening('metrics.address', config.metrics.address, () => serveMetrics({ metrics, host, port })),
    stop: (server) => server.close(),
  })
}

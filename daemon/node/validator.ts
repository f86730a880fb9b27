import { Agents } from '../validator/agents.ts'
import type { NodeCore } from './options.ts'

/** Starts what is done for the validator that this node may run; its agents find out by their key. */
export const startValidator = (node: NodeCore): Promise<Agents> =>
  node.parts.start('agents', { begin: () => agentsOf(node), stop: (agents) => agents.stop() })

function agentsOf({
  config,
  log,
  chain,
  rpc,
  metrics,
  blocks,
  signer,
  ownTelemetry,
  telemetry,
  standing,
}: NodeCore): Agents {
  const agents = new Agents({
    chain,
    rpc,
    signer,
    telemetry: config.agents.telemetry ? ownTelemetry : undefined,
    banMarks: config.agents.ban_marks,
    watches: [telemetry, standing],
    log: log.child({ module: 'agents' }),
    onDone: (work, isDone) => {
      if (work === 'telemetry') metrics.telemetrySamples.inc({ result: isDone ? 'taken' : 'failed' })
      else metrics.agentTxs.inc({ kind: work, result: isDone ? 'sent' : 'failed' })
    },
  })
  blocks.listen(() => void agents.onCommit())
  return agents
}

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
  telemetry,
  standing,
}: NodeCore): Agents {
  const agents = new Agents({
    chain,
    rpc,
    signer,
    telemetry: config.agents.telemetry,
    banMarks: config.agents.ban_marks,
    watches: [telemetry, standing],
    log: log.child({ module: 'agents' }),
    onSent: (kind, result) => metrics.agentTxs.inc({ kind, result }),
  })
  blocks.listen(() => void agents.onCommit())
  return agents
}

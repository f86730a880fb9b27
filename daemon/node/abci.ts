import { type AbciServer, serveAbci } from '../abci/server.ts'
import { createApp } from '../app/app.ts'
import { BlockBudget } from '../app/block-budget.ts'
import { observed } from './observed-app.ts'
import type { NodeCore } from './options.ts'
import { paced } from './paced-app.ts'

/** A third of a slot's worth of transactions to check. */
const WAITING_BYTES_PER_MS = 800

/** Serves the application to CometBFT. */
export async function startAbci(node: NodeCore): Promise<AbciServer> {
  const { home, config, log, parts, onFatal, chain, metrics, reads } = node
  const handler = observed(chain, createApp(chain), node)
  return parts.start('ABCI server', {
    begin: () =>
      serveAbci({
        address: config.abci.address || `unix://${home.socket}`,
        handler: paced(chain, handler, new BlockBudget(config.slot_time), reads),
        log: log.child({ module: 'abci' }),
        onFatal,
        maxWaitingBytes: Math.max(262_144, config.slot_time * WAITING_BYTES_PER_MS),
        observe: (method, seconds) => metrics.abciSeconds.observe({ method }, seconds),
      }),
    stop: (server) => server.close(),
  })
}

import type { AbciHandler } from './abci/handler.ts'
import type { App } from './app/app.ts'
import type { CommittedBlocks } from './committed-blocks.ts'
import type { Metrics } from './metrics.ts'

/** The application, counting what its blocks do, and telling of what it has committed. */
export function observed(app: App, metrics: Metrics, blocks: CommittedBlocks): AbciHandler {
  const handler = Object.create(app) as App
  return Object.assign(handler, {
    async finalizeBlock(request: Parameters<App['finalizeBlock']>[0]) {
      const response = await app.finalizeBlock(request)
      for (const { code } of response.txResults) metrics.txs.inc({ result: code === 0 ? 'ok' : 'failed' })
      for (const { type, attributes } of response.events)
        if (type === 'fornax.agents.v1.EventPenalty')
          metrics.penalties.inc({
            penalty: JSON.parse(attributes.find(({ key }) => key === 'penalty')!.value),
          })
      return response
    },
    async commit() {
      const before = app.store.height
      const begin = performance.now()
      const response = await app.commit()
      metrics.commitSeconds.observe((performance.now() - begin) / 1000)
      metrics.height.set(app.store.height)
      metrics.storeBytes.set(app.store.stats().bytes)
      if (app.store.height > before) blocks.tell(app.store.height)
      return response
    },
  })
}

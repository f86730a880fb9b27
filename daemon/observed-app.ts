import type { AbciHandler } from './abci/handler.ts'
import type { App } from './app/app.ts'
import type { Metrics } from './metrics.ts'

/** The application, counting what its blocks do. */
export function observed(app: App, metrics: Metrics): AbciHandler {
  const handler = Object.create(app) as App
  return Object.assign(handler, {
    async finalizeBlock(request: Parameters<App['finalizeBlock']>[0]) {
      const response = await app.finalizeBlock(request)
      for (const { code } of response.txResults) metrics.txs.inc({ result: code === 0 ? 'ok' : 'failed' })
      return response
    },
    async commit() {
      const begin = performance.now()
      const response = await app.commit()
      metrics.commitSeconds.observe((performance.now() - begin) / 1000)
      metrics.height.set(app.store.height)
      metrics.degradedRounds.set(app.workingHeight - app.store.height)
      metrics.storeBytes.set(app.store.stats().bytes)
      return response
    },
  })
}

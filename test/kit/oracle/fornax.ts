import { sectionToJson } from '../../../core/genesis-section.ts'
import { type App, createApp } from '../../../daemon/app/app.ts'
import { Chain } from '../../../daemon/app/chain.ts'
import { Store } from '../../../daemon/store/store.ts'
import { modules as allModules } from '../../../modules/index.ts'
import { quietLog } from '../app/chain.ts'
import { tempDir } from '../temp-dir.ts'
import { ColdTwin } from '../twin/cold-twin.ts'
import { sdkModules } from './sdk-modules.ts'
import type { Subject } from './subject.ts'

/** Our application on a store in a temporary folder. */
export type FornaxSubject = Subject & { readonly app: App; readonly state: Chain }

/** With all modules or those of the SDK, and a cold twin beside it that must answer every block alike. */
export async function startFornax(which: 'all' | 'sdk' = 'all'): Promise<FornaxSubject> {
  const modules = which === 'all' ? allModules : sdkModules
  const dir = tempDir()
  const stores = modules.flatMap((m) => m.stores)
  const store = await Store.open({ path: dir.path, stores, pruning: { kind: 'nothing' } })
  const state = new Chain({ store, modules, version: '0.0.0-test', minimumGasPrices: [], log: quietLog })
  const app = createApp(state)
  const cold = new ColdTwin({ modules: which })
  cold.follow(app)
  const genesis = modules.flatMap((m) => (m.genesis ? [[m.name, m.genesis] as const] : []))
  return {
    app,
    state,
    name: 'fornax',
    dialect: 'fornax',
    emptyState: () => Object.fromEntries(genesis.map(([name, g]) => [name, sectionToJson(g, g.defaults())])),
    initChain: app.initChain,
    finalizeBlock: app.finalizeBlock,
    async commit() {
      await app.commit()
    },
    query: app.query,
    has: (module) => modules.some((m) => m.name === module),
    serves: (path) => state.router.methods.has(path),
    async stop() {
      await cold.close()
      await store.close()
      dir.remove()
    },
  }
}

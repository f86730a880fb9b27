import { sectionToJson } from '../../../core/genesis-section.ts'
import type { Module } from '../../../core/module.ts'
import { App } from '../../../daemon/app/app.ts'
import { Store } from '../../../daemon/store/store.ts'
import { createEvidence } from '../../../modules/evidence/index.ts'
import { modules as allModules } from '../../../modules/index.ts'
import { quietLog } from '../chain.ts'
import { tempDir } from '../temp-dir.ts'
import type { Subject } from './subject.ts'

/** The modules that the Cosmos SDK has too: what the others do of themselves would be differences. */
export const sdkModules = allModules
  .filter(({ name }) => name !== 'classifier' && name !== 'agents')
  .map((module) => (module.name === 'evidence' ? createEvidence() : module))

/** Our application on a store in a temporary folder. */
export type FornaxSubject = Subject & { readonly app: App }

export async function startFornax(modules: readonly Module[] = allModules): Promise<FornaxSubject> {
  const dir = tempDir()
  const stores = modules.flatMap((m) => m.stores)
  const store = await Store.open({ path: dir.path, stores, pruning: { kind: 'nothing' } })
  const app = new App({ store, modules, version: '0.0.0-test', minimumGasPrices: [], log: quietLog })
  const genesis = modules.flatMap((m) => (m.genesis ? [[m.name, m.genesis] as const] : []))
  return {
    app,
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
    serves: (path) => app.router.queries.has(path),
    async stop() {
      await store.close()
      dir.remove()
    },
  }
}

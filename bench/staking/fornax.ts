import type { Context } from '../../core/context.ts'
import type { Module } from '../../core/module.ts'
import { serveAbci } from '../../daemon/abci/server.ts'
import { createApp } from '../../daemon/app/app.ts'
import { Chain } from '../../daemon/app/chain.ts'
import { Store } from '../../daemon/store/store.ts'
import { modules as allModules } from '../../modules/index.ts'
import { sdkModules } from '../../test/kit/oracle/sdk-modules.ts'

/**
 * `node fornax.js <socket> <folder> sdk|all`: our application behind ABCI, with the SDK's modules alone or with all.
 * Prints a line of JSON for each block: milliseconds of each module's begin and end block.
 */
const [socket, path, which] = process.argv.slice(2) as [string, string, string]
let begin: Record<string, number> = {}
let end: Record<string, number> = {}

async function timed(into: Record<string, number>, name: string, run: () => unknown): Promise<void> {
  const started = performance.now()
  await run()
  into[name] = (into[name] ?? 0) + performance.now() - started
}

const modules = (which === 'sdk' ? sdkModules : allModules).map(
  (module): Module => ({
    ...module,
    ...(module.beginBlock && {
      beginBlock: (ctx: Context) => timed(begin, module.name, () => module.beginBlock!(ctx)),
    }),
    ...(module.endBlock && {
      endBlock: (ctx: Context) => timed(end, module.name, () => module.endBlock!(ctx)),
    }),
  }),
)

const quiet = { debug() {}, info() {}, warn() {}, error: console.error }
const stores = modules.flatMap((module) => module.stores)
const store = await Store.open({ path, stores, pruning: { kind: 'nothing' } })
const chain = new Chain({ store, modules, version: 'bench', minimumGasPrices: [], log: quiet })
const server = await serveAbci({
  address: `unix://${socket}`,
  handler: createApp(chain),
  log: quiet,
  onFatal(error) {
    console.error(error)
    process.exit(1)
  },
  observe(method, seconds) {
    if (method !== 'FinalizeBlock') return
    process.stdout.write(`${JSON.stringify({ begin, end, finalizeBlock: seconds * 1000 })}\n`)
    begin = {}
    end = {}
  },
})
process.once('SIGTERM', async () => {
  await server.close()
  await store.close()
})

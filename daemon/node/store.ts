import { modules } from '../../modules/index.ts'
import { createRouter } from '../app/router.ts'
import type { Config } from '../config/settings.ts'
import type { PruningOptions } from '../store/pruning-options.ts'
import { Store } from '../store/store.ts'
import type { NodeOptions } from './options.ts'

export const startStore = ({ home, config, log, parts }: NodeOptions): Promise<Store> =>
  parts.start('store', {
    begin: () =>
      Store.open({
        path: home.store,
        stores: createRouter(modules).stores,
        pruning: pruningOf(config),
        log: log.child({ module: 'store' }),
      }),
    stop: (store) => store.close(),
    patienceMs: 5000,
  })

export function pruningOf({ store }: Config): PruningOptions {
  const limit = store.max_disk_mb > 0 ? { maxDiskBytes: store.max_disk_mb * 1_000_000 } : {}
  return store.pruning === 'custom'
    ? { kind: 'custom', keepRecent: store.keep_recent, interval: store.interval, ...limit }
    : { kind: store.pruning, ...limit }
}

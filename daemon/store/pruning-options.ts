import { StoreError } from './store-error.ts'

/**
 * Which heights are kept: `default` the last 362,880, pruned every 10 heights; `everything` the last 2; `nothing` is
 * pruned; `custom` the last `keepRecent` (at least 2), pruned every `interval` heights. With `maxDiskBytes` the oldest
 * heights go as well while the database is larger.
 */
export type PruningOptions = (
  | { readonly kind: 'default' | 'everything' | 'nothing' }
  | { readonly kind: 'custom'; readonly keepRecent: number; readonly interval: number }
) & { readonly maxDiskBytes?: number }

export interface PruningPlan {
  /** Infinity where nothing is pruned by age. */
  readonly keepRecent: number
  readonly interval: number
  readonly maxDiskBytes: number
}

/** Throws StoreError `bad_options`. */
export function pruningPlan(options: PruningOptions): PruningPlan {
  const maxDiskBytes = options.maxDiskBytes ?? Number.POSITIVE_INFINITY
  if (!(maxDiskBytes > 0)) throw new StoreError('bad_options', 'pruning: maxDiskBytes must be above 0')
  switch (options.kind) {
    case 'default':
      return { keepRecent: 362_880, interval: 10, maxDiskBytes }
    case 'everything':
      return { keepRecent: 2, interval: 10, maxDiskBytes }
    case 'nothing':
      return { keepRecent: Number.POSITIVE_INFINITY, interval: 10, maxDiskBytes }
    case 'custom': {
      const { keepRecent, interval } = options
      if (!Number.isSafeInteger(keepRecent) || keepRecent < 2) {
        throw new StoreError('bad_options', 'pruning: keepRecent must be an integer of at least 2')
      }
      if (!Number.isSafeInteger(interval) || interval < 1) {
        throw new StoreError('bad_options', 'pruning: interval must be an integer of at least 1')
      }
      return { keepRecent, interval, maxDiskBytes }
    }
  }
}

import { addressKey, part } from '../../core/collections.ts'
import type { Context } from '../../core/context.ts'
import { HISTORY_ADDRESS } from './history-contract.ts'
import * as state from './state.ts'

/** Forgets the blocks that were. */
export function prepareForZeroHeight(ctx: Context): void {
  state.parent.delete(ctx)
  state.current.delete(ctx)
  for (const [key] of [...state.storage.entries(ctx, part(addressKey, HISTORY_ADDRESS))])
    state.storage.delete(ctx, key)
}

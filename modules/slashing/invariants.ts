import type { Context } from '../../core/context.ts'
import { missedIndexes } from './missed-blocks.ts'
import * as state from './state.ts'

/** The counter of missed blocks is the number of bits set. */
function countersMatchBitmaps(ctx: Context): string | undefined {
  for (const [consensus, info] of state.signingInfos.entries(ctx)) {
    let missed = 0n
    for (const _ of missedIndexes(ctx, consensus)) missed++
    if (missed !== info.missedBlocksCounter)
      return `${info.address} counts ${info.missedBlocksCounter} missed blocks, its window has ${missed}`
  }
  return undefined
}

export const invariants = { countersMatchBitmaps }

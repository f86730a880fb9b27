import type { ResponseCommit } from 'cosmjs-types/tendermint/abci/types'
import type { App } from './app.ts'
import { BLOCK_META_KEY, encodeBlockMeta } from './block-meta.ts'
import { endOfHalt, haltAfterStreak, NO_HALT } from './halt.ts'

/**
 * Makes the pending block the committed one, in one fsynced write. Where the block's commit is withheld, its writes
 * stay in working state and nothing is persisted.
 */
export async function commit(app: App): Promise<ResponseCommit> {
  const { pending } = app
  if (pending === undefined) throw new Error('Commit without FinalizeBlock')
  app.pending = undefined
  app.workingHeight = Number(pending.block.height)
  if (pending.degraded !== undefined) {
    app.working.apply(pending.journal.writes())
    const fields = {
      height: app.workingHeight,
      rounds: app.workingHeight - app.store.height,
      why: pending.degraded,
    }
    app.log.warn(fields, 'degraded round: its block is committed with the next healthy one')
    await haltAfterStreak(app)
  } else {
    const meta = { ...pending.block, initialHeight: app.lastBlock.initialHeight }
    await app.store.commit([[BLOCK_META_KEY, encodeBlockMeta(meta)], ...endOfHalt(app)])
    app.lastBlock = meta
    app.halt = NO_HALT
    app.working.reset(app.store.latest)
  }
  app.checked.reset(app.working)
  return { retainHeight: 0n }
}

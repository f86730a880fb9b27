import type { ResponseCommit } from 'cosmjs-types/tendermint/abci/types'
import { Journal } from '../../core/journal.ts'
import { FAILSAFE_HALT_AFTER_BLOCKS } from '../../modules/agents/api.ts'
import { BLOCK_META_KEY, encodeBlockMeta } from './block-meta.ts'
import type { Chain, Pending } from './chain.ts'
import { endOfHalt, NO_HALT, writeHalt } from './halt.ts'

/**
 * Makes the pending block the committed one, in one fsynced write. Where the block's commit is withheld, its writes
 * stay in working state and nothing is persisted.
 */
export async function commit(chain: Chain): Promise<ResponseCommit> {
  const { pending } = chain
  if (pending === undefined) throw new Error('Commit without FinalizeBlock')
  chain.pending = undefined
  chain.workingHeight = Number(pending.block.height)
  if (pending.degraded !== undefined) await withhold(chain, pending, pending.degraded)
  else await persist(chain, pending)
  chain.checked = new Journal(chain.working)
  return { retainHeight: 0n }
}

async function persist(chain: Chain, { block, derived }: Pending): Promise<void> {
  const meta = { ...block, initialHeight: chain.lastBlock.initialHeight }
  const ended = endOfHalt(chain.halt)
  if (ended.length > 0)
    chain.log.info({ height: chain.workingHeight }, 'a healthy block is committed: the halt is over')
  await chain.store.commit([[BLOCK_META_KEY, encodeBlockMeta(meta)], ...ended, ...derived])
  chain.lastBlock = meta
  chain.halt = NO_HALT
  chain.working = new Journal(chain.store.latest)
}

/** Halts the node where the streak of withheld blocks is long enough. */
async function withhold(chain: Chain, { journal }: Pending, why: string): Promise<void> {
  const { store, log, workingHeight: height } = chain
  const working = new Journal(store.latest)
  working.apply(journal.writesThrough(chain.working))
  chain.working = working
  const rounds = height - store.height
  log.warn({ height, rounds, why }, 'degraded round: its block is committed with the next healthy one')
  if (chain.isHalted || chain.degradedStreak < FAILSAFE_HALT_AFTER_BLOCKS) return
  await writeHalt(store, height)
  chain.halt = { ...chain.halt, height }
  log.error(
    { height, committed: store.height },
    'emergency halt: the Zenith Pool has disagreed for too long; `fornaxd halt status` tells what to do',
  )
}

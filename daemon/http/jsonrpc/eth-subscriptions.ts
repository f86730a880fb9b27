import type { CommittedBlocks } from '../../committed-blocks.ts'
import type { EthBlock, EthBlocks } from '../../index/eth-blocks.ts'
import { logsOfBlock } from '../../index/eth-logs.ts'
import { logQuery } from './log-filter.ts'
import { optional } from './params.ts'
import { headerJson, logJson } from './shapes.ts'
import { type SubscriptionKinds, subscriptionKind } from './subscriptions.ts'

/** Told of each block once it is committed, in their order: after withheld commits, of all that they held. */
function onBlocks(
  blocks: EthBlocks,
  committed: CommittedBlocks,
  tell: (block: EthBlock) => void,
): () => void {
  let told = blocks.latest
  return committed.listen((height) => {
    for (let number = told + 1n; number <= BigInt(height); number++) {
      const block = blocks.block(number)
      if (block !== undefined) tell(block)
      told = number
    }
  })
}

const filter = optional(logQuery)

/** What `eth_subscribe` tells of. */
export const ethSubscriptions = (blocks: EthBlocks, committed: CommittedBlocks): SubscriptionKinds => ({
  newHeads: subscriptionKind([], (notify) =>
    onBlocks(blocks, committed, (block) => notify(JSON.stringify(headerJson(block)))),
  ),
  logs: subscriptionKind([filter], (notify, query) =>
    onBlocks(blocks, committed, (block) => {
      const wanted = query ?? { addresses: undefined, topics: [] }
      for (const log of logsOfBlock(blocks, block, wanted)) notify(JSON.stringify(logJson(log)))
    }),
  ),
})

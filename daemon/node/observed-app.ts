import type { RequestFinalizeBlock } from 'cosmjs-types/tendermint/abci/types'
import type { AbciHandler } from '../abci/handler.ts'
import type { Chain } from '../app/chain.ts'
import { carriesExtendedCommit } from '../app/extended-commit.ts'
import type { NodeCore } from './options.ts'

/** The application behind `handler`, counting what its blocks do, telling of what it has committed, and when the last one was. */
export function observed(
  chain: Chain,
  handler: AbciHandler,
  { metrics, blocks, blockAge, pulse }: Pick<NodeCore, 'metrics' | 'blocks' | 'blockAge' | 'pulse'>,
): AbciHandler {
  const { store } = chain
  return {
    ...handler,
    async finalizeBlock(request: RequestFinalizeBlock) {
      const begin = carriesExtendedCommit(chain, request.height) ? 1 : 0
      const response = await handler.finalizeBlock(request)
      for (const { code } of response.txResults.slice(begin))
        metrics.txs.inc({ result: code === 0 ? 'ok' : 'failed' })
      const penalties = response.events.flatMap(({ type, attributes }) =>
        type === 'fornax.agents.v1.EventPenalty'
          ? [JSON.parse(attributes.find(({ key }) => key === 'penalty')!.value) as string]
          : [],
      )
      for (const penalty of penalties) metrics.penalties.inc({ penalty })
      pulse.decided({
        height: Number(request.height),
        txs: request.txs.length - begin,
        time: request.time,
        proposer: request.proposerAddress,
        penalties,
      })
      return response
    },
    async commit() {
      const before = store.height
      const begin = performance.now()
      const response = await handler.commit()
      metrics.commitSeconds.observe((performance.now() - begin) / 1000)
      metrics.height.set(store.height)
      metrics.storeBytes.set(store.stats().bytes)
      blockAge.renew()
      if (store.height > before) blocks.tell(store.height)
      return response
    },
  }
}

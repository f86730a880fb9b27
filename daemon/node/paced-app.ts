import { type RequestQuery, ResponseQuery } from 'cosmjs-types/tendermint/abci/types'
import { sdk } from '../../core/error.ts'
import type { AbciHandler } from '../abci/handler.ts'
import { type BlockBudget, countedGas } from '../app/block-budget.ts'
import type { Chain } from '../app/chain.ts'
import { prepareProposal } from '../app/propose.ts'
import { COMETBFT, TooManyReads } from '../read-queue.ts'
import type { Reads } from '../read-turns.ts'

/**
 * The application behind `handler`, which proposes as much as `budget` says and tells it what blocks take, and whose
 * queries take turns with all other reads.
 */
export function paced(chain: Chain, handler: AbciHandler, budget: BlockBudget, reads: Reads): AbciHandler {
  let begin = 0
  let gas = 0
  let seconds = 0
  return {
    ...handler,
    prepareProposal: (request: Parameters<AbciHandler['prepareProposal']>[0]) =>
      prepareProposal(chain, request, budget),
    query: (request: Parameters<AbciHandler['query']>[0]) => queryInTurn(chain, handler, reads, request),
    async finalizeBlock(request: Parameters<AbciHandler['finalizeBlock']>[0]) {
      begin = processorSeconds()
      const response = await handler.finalizeBlock(request)
      seconds = processorSeconds() - begin
      gas = response.txResults.reduce((sum, { gasWanted }) => sum + countedGas(gasWanted), 0)
      return response
    },
    async commit() {
      begin = processorSeconds()
      const response = await handler.commit()
      budget.observe(gas, seconds + processorSeconds() - begin)
      return response
    },
  }
}

async function queryInTurn(
  chain: Chain,
  handler: AbciHandler,
  reads: Reads,
  request: RequestQuery,
): Promise<ResponseQuery> {
  const method = chain.router.methods.get(request.path)
  if (method !== undefined && method.reach === undefined) return handler.query(request)
  try {
    return await reads.run(COMETBFT, () => handler.query(request), method?.reach)
  } catch (error) {
    if (!(error instanceof TooManyReads)) throw error
    const { codespace, code } = sdk.io()
    return ResponseQuery.fromPartial({ codespace, code, log: 'the node is busy: try again' })
  }
}

/** Of this process: other processes on the machine do not make blocks smaller. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

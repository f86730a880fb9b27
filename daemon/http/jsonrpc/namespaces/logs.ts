import { smaller } from '../../../../core/bigints.ts'
import type { Json } from '../../../../core/wire/json.ts'
import type { CallPool } from '../../../evm-calls/call-pool.ts'
import type { EthBlocks } from '../../../index/eth-blocks.ts'
import { type FoundLog, logsOfBlock } from '../../../index/eth-logs.ts'
import type { BlockRef } from '../block-ref.ts'
import { invalidParams, limitExceeded } from '../errors.ts'
import { type LogQuery, logQuery } from '../log-filter.ts'
import { type Methods, method } from '../method.ts'
import { logJson } from '../shapes.ts'
import { requireBlock } from './blocks.ts'
import { refusal } from './calls.ts'

export interface LogOptions {
  readonly blocks: EthBlocks
  readonly pool: CallPool
  /** Blocks that one search may look at. */
  readonly maxRange: bigint
}

/** Searches for logs beside the thread that decides blocks. */
export function logSearch({ blocks, pool, maxRange }: LogOptions) {
  const numberOf = (ref: BlockRef | undefined): bigint => {
    if (typeof ref === 'bigint') return ref
    return ref === 'earliest' ? blocks.earliest : blocks.latest
  }
  return async (client: string, query: LogQuery): Promise<readonly FoundLog[]> => {
    if (query.blockHash !== undefined)
      return logsOfBlock(blocks, requireBlock(blocks, { hash: query.blockHash }), query)
    const from = numberOf(query.fromBlock)
    const end = numberOf(query.toBlock)
    const to = smaller(end, blocks.latest)
    if (end < from) throw invalidParams('invalid block range params')
    if (to - from >= maxRange)
      throw limitExceeded(`a search looks at up to ${maxRange} blocks, and these are ${to - from + 1n}`)
    try {
      const { addresses, topics } = query
      return await pool.run(client, { kind: 'logs', filter: { addresses, topics }, from, to })
    } catch (error) {
      throw refusal(error)
    }
  }
}

export function logMethods(options: LogOptions): Methods {
  const search = logSearch(options)
  return {
    eth_getLogs: method(
      [logQuery],
      async ({ client }, query): Promise<Json> => (await search(client, query)).map(logJson),
    ),
  }
}

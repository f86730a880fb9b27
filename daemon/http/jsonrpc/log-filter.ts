import type { LogFilter } from '../../index/eth-logs.ts'
import { type BlockRef, blockNumber } from './block-ref.ts'
import { decodeData } from './data.ts'
import { Malformed } from './hex.ts'
import { data, objectOf, optional, type Param } from './params.ts'

/** Alternatives of one place. */
const MAX_ALTERNATIVES = 1000
const MAX_TOPICS = 4

/** One, or several of which any will do; nothing for whatever there is. */
const oneOrMore = (length: number): Param<readonly Uint8Array[] | undefined> => ({
  isOptional: true,
  parse(value) {
    if (value === undefined || value === null) return undefined
    if (!Array.isArray(value)) return [decodeData(value, length)]
    if (value.length > MAX_ALTERNATIVES) throw new Malformed(`more than ${MAX_ALTERNATIVES} alternatives`)
    return value.length === 0 ? undefined : value.map((each) => decodeData(each, length))
  },
})

const topics: Param<LogFilter['topics']> = {
  isOptional: true,
  parse(value) {
    if (value === undefined || value === null) return []
    if (!Array.isArray(value)) throw new Malformed('non-array')
    if (value.length > MAX_TOPICS) throw new Malformed('exceed max topics')
    return value.map((each) => oneOrMore(32).parse(each))
  },
}

export interface LogQuery extends LogFilter {
  readonly blockHash: Uint8Array | undefined
  readonly fromBlock: BlockRef | undefined
  readonly toBlock: BlockRef | undefined
}

/** Which logs are meant. */
export const logQuery: Param<LogQuery> = {
  parse(value) {
    const { address, topics: wanted, blockHash, fromBlock, toBlock } = fields.parse(value)
    if (blockHash !== undefined && (fromBlock !== undefined || toBlock !== undefined))
      throw new Malformed('cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other')
    return { addresses: address, topics: wanted, blockHash, fromBlock, toBlock }
  },
}

const fields = objectOf({
  address: oneOrMore(20),
  topics,
  blockHash: optional(data(32)),
  fromBlock: optional(blockNumber),
  toBlock: optional(blockNumber),
})

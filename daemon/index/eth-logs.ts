import { equalBytes } from '../../core/bytes.ts'
import { bloomHas } from '../../modules/evm/api.ts'
import type { EthBlock, EthBlocks, EthBlockTx } from './eth-blocks.ts'

/** Which logs are meant: of any of these contracts, with any of these topics in each place. */
export interface LogFilter {
  readonly addresses: readonly Uint8Array[] | undefined
  readonly topics: readonly (readonly Uint8Array[] | undefined)[]
}

/** A log, where it is. */
export interface FoundLog {
  readonly address: Uint8Array
  readonly topics: readonly Uint8Array[]
  readonly data: Uint8Array
  readonly blockNumber: bigint
  readonly blockHash: Uint8Array
  readonly blockTimestamp: bigint
  readonly transactionHash: Uint8Array
  readonly transactionIndex: number
  readonly logIndex: bigint
}

const isAmong = (bytes: Uint8Array, some: readonly Uint8Array[] | undefined): boolean =>
  some === undefined || some.some((one) => equalBytes(one, bytes))

export const matches = (
  { addresses, topics }: LogFilter,
  log: { readonly address: Uint8Array; readonly topics: readonly Uint8Array[] },
): boolean =>
  isAmong(log.address, addresses) &&
  topics.length <= log.topics.length &&
  topics.every((some, i) => isAmong(log.topics[i]!, some))

/** Whether a block may have one: its bloom filter never says no where it has. */
const mayHave = ({ addresses, topics }: LogFilter, bloom: Uint8Array): boolean =>
  [addresses, ...topics].every((some) => some === undefined || some.some((one) => bloomHas(bloom, one)))

/** A transaction's logs, each with its place. */
export const logsOf = (block: EthBlock, { decoded, outcome, index, firstLog }: EthBlockTx): FoundLog[] =>
  outcome.logs.map(({ address, topics, data }, i) => ({
    address,
    topics,
    data,
    blockNumber: block.header.number,
    blockHash: block.hash,
    blockTimestamp: block.header.timestamp,
    transactionHash: decoded.hash,
    transactionIndex: index,
    logIndex: firstLog + BigInt(i),
  }))

/** Those of a block that are meant, in their order. */
export function logsOfBlock(blocks: EthBlocks, block: EthBlock, filter: LogFilter): FoundLog[] {
  if (!mayHave(filter, block.header.logsBloom)) return []
  return blocks
    .transactionsOf(block.header.number, block)
    .flatMap((tx) => logsOf(block, tx))
    .filter((log) => matches(filter, log))
}

/** Most logs that one search answers. */
export const MAX_LOGS = 10_000

export class TooManyLogs extends Error {
  override readonly name = 'TooManyLogs'
}

/** Those of blocks `from` to `to`, in their order. Throws TooManyLogs. */
export function findLogs(blocks: EthBlocks, filter: LogFilter, from: bigint, to: bigint): FoundLog[] {
  const found: FoundLog[] = []
  for (let number = from; number <= to; number++) {
    const block = blocks.block(number)
    if (block === undefined) continue
    for (const log of logsOfBlock(blocks, block, filter)) found.push(log)
    if (found.length > MAX_LOGS)
      throw new TooManyLogs(
        `query returned more than ${MAX_LOGS} results: ask for fewer blocks than from ${from} to ${to}`,
      )
  }
  return found
}

import { messageNames } from '../../../core/wire/descriptors.ts'
import type { Json } from '../../../core/wire/json.ts'
import type { Chain } from '../../app/chain.ts'
import { type BlockResults, type CometRpc, type EventJson, RpcError } from '../../client/rpc.ts'
import type { CommittedBlocks } from '../../committed-blocks.ts'

/** The typed events of our own modules, but for each validator's telemetry in each block. */
export const STREAMED_TYPES: readonly string[] = messageNames()
  .filter(
    (name) => /^fornax\.[a-z]+\.v\d+\.Event[A-Z]/.test(name) && !name.endsWith('.EventMetricsSubmitted'),
  )
  .sort()

const STREAMED: ReadonlySet<string> = new Set(STREAMED_TYPES)

export interface StreamedEvent {
  readonly height: number
  /** Its place among all events of the block. */
  readonly index: number
  /** The full name of the event's message. */
  readonly type: string
  /** The message's fields. */
  readonly attributes: Readonly<Record<string, Json>>
}

/** Blocks that can be streamed again. */
export const WINDOW = 1_000
const ATTEMPTS = 3
const RETRY_MS = 500

/** The events of committed blocks, from CometBFT's stored results: a withheld block's come when it is committed. */
export class EventFeed {
  readonly #chain: Chain
  readonly #rpc: CometRpc
  readonly #blocks = new Map<number, Promise<readonly StreamedEvent[] | undefined>>()
  readonly #waiting = new Set<() => void>()

  constructor(chain: Chain, rpc: CometRpc, blocks: CommittedBlocks) {
    this.#chain = chain
    this.#rpc = rpc
    blocks.listen(() => {
      for (const wake of this.#waiting) wake()
    })
  }

  /** The last committed height. */
  get head(): number {
    return this.#chain.store.height
  }

  /** The first height that can be streamed. */
  get oldest(): number {
    return Math.max(Number(this.#chain.lastBlock.initialHeight), this.head - WINDOW + 1)
  }

  /** Events of a committed block; undefined where CometBFT does not have them. Rejects with RpcUnavailable. */
  at(height: number): Promise<readonly StreamedEvent[] | undefined> {
    const known = this.#blocks.get(height)
    if (known !== undefined) return known
    const read = this.#read(height)
    this.#blocks.set(height, read)
    read.catch(() => this.#blocks.delete(height))
    for (const old of this.#blocks.keys()) {
      if (this.#blocks.size <= WINDOW) break
      this.#blocks.delete(old)
    }
    return read
  }

  async #read(height: number): Promise<readonly StreamedEvent[] | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        return eventsOf(height, await this.#rpc.blockResults(BigInt(height)))
      } catch (error) {
        if (!(error instanceof RpcError)) throw error
        if (attempt === ATTEMPTS) return undefined
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  /** Resolves once `height` is committed, after `ms`, or when `signal` aborts. */
  async reach(height: number, ms: number, signal: AbortSignal): Promise<void> {
    if (this.head >= height || signal.aborted) return
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const wake = (): void => {
        if (this.head >= height) end()
      }
      const timer = setTimeout(end, ms)
      this.#waiting.add(wake)
      signal.addEventListener('abort', end)
    })
  }
}

/** In the order of the block: its begin, its transactions, its end. */
export function eventsOf(height: number, results: BlockResults): StreamedEvent[] {
  const own = results.finalize_block_events ?? []
  const isBegin = ({ attributes }: EventJson): boolean =>
    attributes?.some(({ key, value }) => key === 'mode' && value === 'BeginBlock') ?? false
  const all = [
    ...own.filter(isBegin),
    ...(results.txs_results ?? []).flatMap(({ events }) => events ?? []),
    ...own.filter((event) => !isBegin(event)),
  ]
  return all.flatMap(({ type, attributes }, index) => {
    if (!STREAMED.has(type)) return []
    const told = (attributes ?? []).filter(({ key }) => key !== 'mode' && key !== 'msg_index')
    const fields = told.map(({ key, value }): [string, Json] => [key, JSON.parse(value)])
    return [{ height, index, type, attributes: Object.fromEntries(fields) }]
  })
}

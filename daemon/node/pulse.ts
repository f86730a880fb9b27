import type { Log } from '../../core/log.ts'
import type { Seconds } from '../../core/time.ts'

/** How CometBFT comes by blocks: from its own store, from peers, or by deciding with them. */
export type Phase = 'starting' | 'syncing' | 'deciding'

/** What a block's execution told. */
export interface PulseBlock {
  readonly height: number
  readonly txs: number
  readonly time: Seconds
  /** Consensus address. */
  readonly proposer: Uint8Array
  /** Kinds of penalties, one for each that was imposed. */
  readonly penalties: readonly string[]
}

export interface PulseOptions {
  readonly log: Log
  readonly slotMs: number
  /** A proposer's name by the committed state. */
  readonly nameOf: (proposer: Uint8Array) => string
  /** Milliseconds; default of the monotonic clock. */
  readonly now?: () => number
}

const WORDS = {
  starting: 'replaying blocks',
  syncing: 'catching up with the network',
} as const
const ENDS = {
  starting: 'all blocks that were here are replayed',
  syncing: 'in step with the network',
} as const
type Behind = keyof typeof WORDS

/** RFC 3339 with three digits always, so that lines of a log stand below each other. */
const inMilliseconds = ({ seconds, nanos }: Seconds): string =>
  new Date(Number(seconds) * 1000 + Math.floor(nanos / 1_000_000)).toISOString()

/** From this slot on each block has a line. */
const SLOW_MS = 2000
const FAST_GAP_MS = 5000
const SLOW_GAP_MS = 1000

/**
 * Lets the log tell that the chain lives: a line a block, or on a fast chain and while it catches up one in five seconds,
 * about all blocks since the last. It only counts what `decided` is told, and writes behind the commits.
 */
export class Pulse {
  readonly #options: PulseOptions
  readonly #now: () => number
  /** Decided and not yet told of. */
  #blocks: PulseBlock[] = []
  #told: number
  #phase: Phase = 'starting'
  /** How it came by blocks that it was behind with, when it told last. */
  #behind: Behind | undefined
  /** The height that CometBFT is on its way to, where it has said so. */
  target: number | undefined

  constructor(options: PulseOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
    this.#told = this.#now()
  }

  set phase(phase: Phase) {
    if (phase === 'starting') this.target = undefined
    this.#phase = phase
  }

  decided(block: PulseBlock): void {
    this.#blocks.push(block)
  }

  /** To be called behind the commit of `height`. Never throws. */
  committed(height: number): void {
    try {
      this.#beat(height)
    } catch (err) {
      this.#options.log.warn({ err }, 'what the last block held is not known')
    }
  }

  #beat(height: number): void {
    const { log, slotMs } = this.#options
    const behind = this.#behindAt(height)
    const over = behind === undefined ? this.#behind : undefined
    const now = this.#now()
    const ms = now - this.#told
    const gap = behind !== undefined || slotMs < SLOW_MS ? FAST_GAP_MS : SLOW_GAP_MS
    if (ms < gap && over === undefined) return
    const blocks = this.#blocks.filter((block) => block.height <= height)
    const last = blocks.at(-1)
    if (last === undefined) return
    this.#blocks = this.#blocks.filter((block) => block.height > height)
    this.#told = now
    this.#behind = behind
    if (over) log.info({ height, blockTime: inMilliseconds(last.time) }, ENDS[over])
    else if (behind) log.info(this.#progress(last, blocks.length, ms), WORDS[behind])
    else log.info(this.#summary(last, blocks), blocks.length === 1 ? 'block' : 'blocks')
  }

  #behindAt(height: number): Behind | undefined {
    if (this.#phase === 'syncing') return 'syncing'
    return this.#phase === 'starting' && height < (this.target ?? 0) ? 'starting' : undefined
  }

  #progress({ height, time }: PulseBlock, count: number, ms: number): object {
    const target = Math.max(this.target ?? 0, height)
    return {
      height,
      ...(target > height && { target, remaining: target - height }),
      blocksPerSecond: Number(((count * 1000) / Math.max(ms, 1)).toFixed(1)),
      blockTime: inMilliseconds(time),
    }
  }

  #summary({ height, time, proposer }: PulseBlock, blocks: readonly PulseBlock[]): object {
    const penalties = new Map<string, number>()
    for (const kind of blocks.flatMap((block) => block.penalties))
      penalties.set(kind, (penalties.get(kind) ?? 0) + 1)
    return {
      height,
      ...(blocks.length > 1 && { blocks: blocks.length }),
      txs: blocks.reduce((sum, { txs }) => sum + txs, 0),
      proposer: this.#options.nameOf(proposer),
      ...(penalties.size > 0 && { penalties: [...penalties].map(([kind, n]) => `${n} ${kind}`).join(', ') }),
      blockTime: inMilliseconds(time),
    }
  }
}

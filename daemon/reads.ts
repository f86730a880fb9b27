/** Share of the thread that reads may take when there are more than fit, and what they may take at once. */
const SHARE = 0.5
const BURST_MS = 100
const MAX_WAITING = 200
const MAX_WAITING_OF_CLIENT = 50
/** Reads that have begun and wait for another process, CometBFT: what it answers is read on this thread. */
const MAX_UNDER_WAY = 8
const MAX_UNDER_WAY_OF_CLIENT = 2

/** A read was refused: its client waits for too many already, or all clients together do. */
export class TooManyReads extends Error {
  override readonly name = 'TooManyReads'
  readonly whose: 'client' | 'all'

  constructor(whose: 'client' | 'all') {
    super('too many reads wait for an answer')
    this.whose = whose
  }
}

export interface ReadsOptions {
  /** In milliseconds. */
  readonly now?: () => number
  /** Waits for about `ms` milliseconds, in any case until the sockets have been read. */
  readonly wait?: (ms: number) => Promise<void>
}

const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => void (ms > 0 ? setTimeout(resolve, ms) : setImmediate(resolve)))

/**
 * Reads of the state run on the thread that decides blocks. They run one at a time, the clients in turns; between two of
 * them the sockets are read, so that consensus goes first; and they take half of the thread at most. Those that ask
 * CometBFT leave the thread to others meanwhile, as many as `MAX_UNDER_WAY`.
 */
export class Reads {
  readonly #now: () => number
  readonly #wait: (ms: number) => Promise<void>
  /** By client, the one whose turn it is first. */
  readonly #waiting = new Map<string, (() => Promise<void>)[]>()
  /** By client, those that have begun and not ended. */
  readonly #underWay = new Map<string, number>()
  /** Waiting and under way. */
  #count = 0
  #begun = 0
  #wake: () => void = () => {}
  #working = false
  /** Milliseconds that may still be taken, as of `#since`. */
  #credit = BURST_MS
  #since: number

  constructor(options: ReadsOptions = {}) {
    this.#now = options.now ?? (() => performance.now())
    this.#wait = options.wait ?? wait
    this.#since = this.#now()
  }

  /** Answers what `read` does, when it is its turn. Rejects with TooManyReads. Waiting for others does not count. */
  run<T>(client: string, read: () => T | Promise<T>): Promise<T> {
    const own = this.#waiting.get(client) ?? []
    if (own.length + this.#begunOf(client) >= MAX_WAITING_OF_CLIENT)
      return Promise.reject(new TooManyReads('client'))
    if (this.#count >= MAX_WAITING) return Promise.reject(new TooManyReads('all'))
    const answer = new Promise<T>((resolve, reject) => {
      own.push(async () => {
        try {
          resolve(await read())
        } catch (error) {
          reject(error)
        }
      })
    })
    this.#waiting.set(client, own)
    this.#count++
    if (!this.#working) void this.#work()
    else this.#wake()
    return answer
  }

  async #work(): Promise<void> {
    this.#working = true
    while (this.#waiting.size > 0) {
      const next = this.#next()
      if (next === undefined) await new Promise<void>((resolve) => (this.#wake = resolve))
      else await this.#run(...next)
    }
    this.#working = false
  }

  async #run(client: string, read: () => Promise<void>): Promise<void> {
    this.#refill()
    await this.#wait(this.#credit < 0 ? -this.#credit / SHARE : 0)
    this.#refill()
    const began = this.#now()
    let ended: number | undefined
    void read().then(() => {
      ended = this.#now()
      this.#end(client)
    })
    const returned = this.#now()
    // Until then all has been done that needs no other process.
    await this.#wait(0)
    this.#credit -= (ended ?? returned) - began
  }

  #begunOf(client: string): number {
    return this.#underWay.get(client) ?? 0
  }

  /** Takes the next read that may begin; nothing where each client has its share under way, or all together have. */
  #next(): [client: string, read: () => Promise<void>] | undefined {
    if (this.#begun >= MAX_UNDER_WAY) return undefined
    for (const [client, own] of this.#waiting) {
      if (this.#begunOf(client) >= MAX_UNDER_WAY_OF_CLIENT) continue
      const read = own.shift()!
      this.#waiting.delete(client)
      if (own.length > 0) this.#waiting.set(client, own)
      this.#underWay.set(client, this.#begunOf(client) + 1)
      this.#begun++
      return [client, read]
    }
    return undefined
  }

  #end(client: string): void {
    const others = this.#begunOf(client) - 1
    if (others > 0) this.#underWay.set(client, others)
    else this.#underWay.delete(client)
    this.#begun--
    this.#count--
    this.#wake()
  }

  #refill(): void {
    const now = this.#now()
    this.#credit = Math.min(BURST_MS, this.#credit + (now - this.#since) * SHARE)
    this.#since = now
  }
}

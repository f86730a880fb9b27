import { type Read, ReadQueue } from './read-queue.ts'

/** Share of the thread that reads may take when there are more than fit, and what they may take at once. */
const SHARE = 0.5
const BURST_MS = 100

/** Who is needed for a read: this process alone, or CometBFT's answer too. */
export type Reach = 'near' | 'far'

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
 * CometBFT have a queue of their own, and leave the thread to others meanwhile.
 */
export class Reads {
  readonly #now: () => number
  readonly #wait: (ms: number) => Promise<void>
  readonly #near = new ReadQueue()
  readonly #far = new ReadQueue()
  #last = this.#far
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
  run<T>(client: string, read: () => T | Promise<T>, reach: Reach = 'near'): Promise<T> {
    const queue = reach === 'near' ? this.#near : this.#far
    return new Promise<T>((resolve, reject) => {
      const begin = async (): Promise<void> => {
        try {
          resolve(await read())
        } catch (error) {
          reject(error)
        }
      }
      queue.add({ client, begin, refuse: reject })
      if (!this.#working) void this.#work()
      else this.#wake()
    })
  }

  async #work(): Promise<void> {
    this.#working = true
    while (!this.#near.isEmpty || !this.#far.isEmpty) {
      const next = this.#next()
      if (next === undefined) await new Promise<void>((resolve) => (this.#wake = resolve))
      else await this.#run(...next)
    }
    this.#working = false
  }

  /** Takes the next read that may begin, of the two queues in turn. */
  #next(): [queue: ReadQueue, read: Read] | undefined {
    for (const queue of this.#last === this.#near ? [this.#far, this.#near] : [this.#near, this.#far]) {
      const read = queue.take()
      if (read === undefined) continue
      this.#last = queue
      return [queue, read]
    }
    return undefined
  }

  async #run(queue: ReadQueue, read: Read): Promise<void> {
    this.#refill()
    await this.#wait(this.#credit < 0 ? -this.#credit / SHARE : 0)
    this.#refill()
    const began = this.#now()
    let ended: number | undefined
    void read.begin().then(() => {
      ended = this.#now()
      queue.end(read)
      this.#wake()
    })
    const returned = this.#now()
    // Until then all has been done that needs no other process.
    await this.#wait(0)
    this.#credit -= (ended ?? returned) - began
  }

  #refill(): void {
    const now = this.#now()
    this.#credit = Math.min(BURST_MS, this.#credit + (now - this.#since) * SHARE)
    this.#since = now
  }
}

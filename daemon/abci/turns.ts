/** Someone with work that may wait. */
export interface Worker {
  /** Does the next piece of work; false where there is none that may be done now. */
  step(): boolean
  /** Told when a turn is over for it. */
  rest(): void
}

export interface TurnOptions {
  /** Milliseconds that all workers have together before the sockets are read again. Default 4. */
  readonly ms?: number
  /** In milliseconds. */
  readonly now?: () => number
}

/**
 * Works in short turns, the workers in rotation, and lets the event loop read every socket between two turns: what must
 * not wait is handled as it is read, and so waits for one turn at most.
 */
export class Turns {
  readonly #ms: number
  readonly #now: () => number
  readonly #waiting = new Set<Worker>()
  #scheduled = false

  constructor({ ms = 4, now = () => performance.now() }: TurnOptions = {}) {
    this.#ms = ms
    this.#now = now
  }

  /** The worker has work: it is stepped until it says otherwise. */
  add(worker: Worker): void {
    this.#waiting.add(worker)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#take()
    })
  }

  #take(): void {
    const end = this.#now() + this.#ms
    do {
      for (const worker of this.#waiting) {
        if (worker.step()) continue
        this.#waiting.delete(worker)
        worker.rest()
      }
    } while (this.#waiting.size > 0 && this.#now() < end)
    for (const worker of this.#waiting) worker.rest()
    if (this.#waiting.size > 0) this.#schedule()
  }
}

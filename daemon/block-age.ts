/** Shortest time without a block that is told as a standstill. */
const STALL_MS = 60_000
const STALL_SLOTS = 20

/** How long this node has had no block, by a clock that knows neither the host's time nor the chain's. */
export class BlockAge {
  readonly #stallMs: number
  readonly #now: () => number
  #since: number

  constructor(slotMs: number, now: () => number = () => performance.now()) {
    this.#stallMs = Math.max(STALL_MS, STALL_SLOTS * slotMs)
    this.#now = now
    this.#since = now()
  }

  /** To be called for each block, its commit withheld or not. */
  renew(): void {
    this.#since = this.#now()
  }

  /** Since the last block; before one, since the process's start. */
  get ms(): number {
    return this.#now() - this.#since
  }

  /** Whether so long that the network, or this node, stands still. */
  get isStall(): boolean {
    return this.ms > this.#stallMs
  }
}

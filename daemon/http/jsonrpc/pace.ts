/** Calls that begin, or stretches of text that are read, before the sockets are read again: a millisecond or two. */
const AT_ONCE = 64
const STRETCH = 2048

/**
 * Shares the thread out for what is too little to wait for a turn of its own (`daemon/read-turns.ts`), but comes in any number:
 * consensus reads its socket between two rounds. Whoever waits has its place in the order of coming.
 */
export class Pace {
  #left = AT_ONCE
  #isRoundOver = true
  readonly #waiting: { readonly cost: number; readonly begin: () => void }[] = []

  /** Resolves when a call may begin; nothing where it may now. */
  call(): Promise<void> | undefined {
    return this.#take(1)
  }

  /** The same for reading so many characters. */
  text(length: number): Promise<void> | undefined {
    return this.#take(Math.ceil(length / STRETCH))
  }

  #take(cost: number): Promise<void> | undefined {
    this.#schedule()
    if (this.#left > 0 && this.#waiting.length === 0) {
      this.#left -= cost
      return undefined
    }
    return new Promise((begin) => this.#waiting.push({ cost, begin }))
  }

  #schedule(): void {
    if (!this.#isRoundOver) return
    this.#isRoundOver = false
    setImmediate(() => {
      this.#isRoundOver = true
      this.#left = AT_ONCE
      let begun = 0
      for (; begun < this.#waiting.length && this.#left > 0; begun++) {
        const { cost, begin } = this.#waiting[begun]!
        this.#left -= cost
        begin()
      }
      this.#waiting.splice(0, begun)
      if (begun > 0) this.#schedule()
    })
  }
}

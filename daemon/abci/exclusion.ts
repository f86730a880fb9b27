/** Lets one call in at a time, in the order they ask. Entering where nobody is inside takes no promise. */
export class Exclusion {
  #taken = false
  readonly #waiting: (() => void)[] = []
  readonly #onFree: () => void

  /** `onFree` is told whenever the last one has left. */
  constructor(onFree: () => void) {
    this.#onFree = onFree
  }

  /** Whether somebody is inside. */
  get taken(): boolean {
    return this.#taken
  }

  /** Runs `inside` now, or when everyone before has left. Whoever is inside must call `leave` exactly once. */
  enter(inside: () => void): void {
    if (this.#taken) {
      this.#waiting.push(inside)
      return
    }
    this.#taken = true
    inside()
  }

  leave(): void {
    const next = this.#waiting.shift()
    if (next) {
      next()
      return
    }
    this.#taken = false
    this.#onFree()
  }
}

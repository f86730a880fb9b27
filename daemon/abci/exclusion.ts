/** Lets one call in at a time, in the order they ask. Entering where nobody is inside takes no promise. */
export class Exclusion {
  #taken = false
  readonly #waiting: (() => void)[] = []

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
    if (next) next()
    else this.#taken = false
  }
}

/** Tells those who listen of each committed height. They do their work later, off the path of consensus. */
export class CommittedBlocks {
  readonly #listeners = new Set<(height: number) => void>()

  /** Calls `listener` after each commit from now on. Answers how to stop that. */
  listen(listener: (height: number) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  tell(height: number): void {
    for (const listener of this.#listeners) setImmediate(listener, height)
  }
}

import type { ChunkSource } from '../disk/chunk-source.ts'
import type { Database } from '../disk/database.ts'
import { readVersion } from '../disk/open-state.ts'
import type { State } from '../state.ts'
import { StoreError } from '../store-error.ts'
import { HistoricalReader, notKept } from './historical-reader.ts'

const READERS_KEPT = 32
/** Commits withheld in a row that are looked for; the fail-safe halts a chain much earlier. */
const MAX_WITHHELD = 64

/** Readers of the kept heights, of which the last few made are remembered. */
export class History {
  readonly #database: Database
  readonly #chunks: ChunkSource
  readonly #state: State
  readonly #readers = new Map<number, HistoricalReader>()

  constructor(database: Database, chunks: ChunkSource, state: State) {
    this.#database = database
    this.#chunks = chunks
    this.#state = state
  }

  /**
   * Throws StoreError `closed`, `height_in_future`, or `height_not_kept` for a pruned height and one never committed.
   */
  at(height: number): HistoricalReader {
    const state = this.#state
    state.ensureReadable()
    if (height > state.height) {
      throw new StoreError(
        'height_in_future',
        `height ${height} is above the last committed height ${state.height}`,
      )
    }
    if (!state.keeps(height)) throw notKept(height)
    const known = this.#readers.get(height)
    if (known) return known
    const record = readVersion(this.#database, height)
    if (!record) throw this.#passedOver(height)
    const reader = new HistoricalReader(record, this.#chunks, state)
    for (const oldest of this.#readers.keys()) {
      if (this.#readers.size < READERS_KEPT && state.keeps(oldest)) continue
      this.#readers.delete(oldest)
    }
    this.#readers.set(height, reader)
    return reader
  }

  /** Heights follow one another but for those whose commits were withheld. */
  #passedOver(height: number): StoreError {
    for (let next = height + 1; next <= Math.min(this.#state.height, height + MAX_WITHHELD); next++)
      if (readVersion(this.#database, next))
        return new StoreError(
          'height_not_kept',
          `height ${height} has no state of its own: its commit was withheld and made with that of height ${next}`,
        )
    return notKept(height)
  }
}

import type { ChunkSource } from '../disk/chunk-source.ts'
import type { Database } from '../disk/database.ts'
import { readVersion } from '../disk/open-state.ts'
import type { State } from '../state.ts'
import { StoreError } from '../store-error.ts'
import { HistoricalReader, notKept } from './historical-reader.ts'

const READERS_KEPT = 32

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
    if (!record) throw notKept(height)
    const reader = new HistoricalReader(record, this.#chunks, state)
    for (const oldest of this.#readers.keys()) {
      if (this.#readers.size < READERS_KEPT && state.keeps(oldest)) continue
      this.#readers.delete(oldest)
    }
    this.#readers.set(height, reader)
    return reader
  }
}

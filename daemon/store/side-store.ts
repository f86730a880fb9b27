import { isDerived } from '../../core/derived.ts'
import type { StateReader } from '../../core/state-reader.ts'
import { ChunkSource } from './disk/chunk-source.ts'
import { Database } from './disk/database.ts'
import { localKey } from './disk/database-keys.ts'
import { readHeights, readIds, readVersion } from './disk/open-state.ts'
import { notKept } from './read/historical-reader.ts'
import { StoredTree } from './read/stored-tree.ts'

const CHUNK_CACHE_BYTES = 32 << 20
const READERS_KEPT = 8

/**
 * Reads the committed versions of a store that another thread of this process has open and writes. A version never changes,
 * so that what is read of one is consistent whatever is committed meanwhile; one that is pruned while it is read is told.
 */
export class SideStore {
  readonly #database: Database
  readonly #chunks: ChunkSource
  readonly #readers = new Map<number, StateReader>()

  private constructor(database: Database) {
    this.#database = database
    this.#chunks = new ChunkSource(database, CHUNK_CACHE_BYTES)
  }

  static async open(path: string): Promise<SideStore> {
    return new SideStore(await Database.openBeside(path))
  }

  /** The last committed height. */
  get height(): number {
    return readHeights(this.#database).latest
  }

  readonly local = {
    get: (key: Uint8Array): Uint8Array | undefined => this.#database.get(localKey(key)),
  }

  /** Throws StoreError `height_not_kept`. */
  at(height: number): StateReader {
    if (height < readHeights(this.#database).earliest) throw notKept(height)
    const known = this.#readers.get(height)
    if (known !== undefined) return known
    const record = readVersion(this.#database, height)
    if (record === undefined) throw notKept(height)
    const trees = new Map<string, StoredTree>()
    for (const [name, id] of readIds(this.#database)) {
      const root = record.roots.get(id)
      if (root !== undefined) trees.set(name, new StoredTree(this.#chunks, id, root.ref))
    }
    const reader = this.#guarded(height, trees)
    for (const oldest of this.#readers.keys())
      if (this.#readers.size >= READERS_KEPT) this.#readers.delete(oldest)
    this.#readers.set(height, reader)
    return reader
  }

  #guarded(height: number, trees: ReadonlyMap<string, StoredTree>): StateReader {
    const tree = (store: string): StoredTree | undefined => (isDerived(store) ? undefined : trees.get(store))
    const kept = <T>(read: () => T): T => {
      try {
        return read()
      } catch (error) {
        if (height < readHeights(this.#database).earliest) throw notKept(height)
        throw error
      }
    }
    return {
      get: (store, key) => kept(() => tree(store)?.get(key)),
      has: (store, key) => kept(() => tree(store)?.get(key) !== undefined),
      entries: (store, start, end, reverse = false) =>
        kept(() => tree(store)?.entries(start, end, reverse) ?? [].values()),
      rank: (store, key) => kept(() => tree(store)?.rank(key) ?? 0),
      keyAt: (store, rank) => kept(() => tree(store)?.keyAt(rank)),
    }
  }

  close(): Promise<void> {
    return this.#database.close()
  }
}

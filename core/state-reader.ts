/** One committed version of every store, read synchronously. What a journal stands on. */
export interface StateReader {
  /** The value under `key`, which the caller must not modify. */
  get(store: string, key: Uint8Array): Uint8Array | undefined
  has(store: string, key: Uint8Array): boolean
  /**
   * Entries with `start <= key < end` (no upper bound where `end` is absent), ascending, or descending with
   * `reverse`. The iterator reads the version it was opened on, whatever is committed meanwhile.
   */
  entries(
    store: string,
    start: Uint8Array,
    end: Uint8Array | undefined,
    reverse?: boolean,
  ): IterableIterator<readonly [key: Uint8Array, value: Uint8Array]>
  /** How many keys of the store are below `key`; how many there are, without one. In O(log n). */
  rank(store: string, key?: Uint8Array): number
  /** The key with so many below it. In O(log n). */
  keyAt(store: string, rank: number): Uint8Array | undefined
}

/** A write or, with `null`, a removal. */
export type Write = readonly [key: Uint8Array, value: Uint8Array | null]

/** One store's writes of one block, ascending by key, each key once. */
export interface StoreWrites {
  readonly store: string
  readonly writes: readonly Write[]
}

import type { HashedStore } from './hashed-store.ts'
import { StoreError } from './store-error.ts'

/** Where the store stands; `failed` once a commit could not be written: what is in memory may then not be on disk. */
export type Phase = 'open' | 'committing' | 'failed' | 'closed'

/** The committed state, of which readers read and which the pruner shortens: its stores and the heights it keeps. */
export class State {
  /** By name, ascending. */
  readonly stores: ReadonlyMap<string, HashedStore>
  /** By store id. */
  readonly names: ReadonlyMap<number, string>
  phase: Phase = 'open'
  #height: number
  #appHash: Uint8Array
  #earliestHeight: number
  readonly #held = new Map<symbol, number>()

  /** `stores` sorted by name. */
  constructor(
    stores: readonly HashedStore[],
    at: { readonly height: number; readonly appHash: Uint8Array; readonly earliestHeight: number },
  ) {
    this.stores = new Map(stores.map((store) => [store.name, store]))
    this.names = new Map(stores.map((store) => [store.id, store.name]))
    this.#height = at.height
    this.#appHash = at.appHash
    this.#earliestHeight = at.earliestHeight
  }

  /** The last committed height; 0 for an empty store. */
  get height(): number {
    return this.#height
  }

  get appHash(): Uint8Array {
    return this.#appHash
  }

  /** The first height that is kept; 0 for an empty store. */
  get earliestHeight(): number {
    return this.#earliestHeight
  }

  /** The lowest height somebody is reading, or Infinity. */
  get heldHeight(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...this.#held.values())
  }

  /** Throws StoreError `unknown_store`. */
  store(name: string): HashedStore {
    const store = this.stores.get(name)
    if (!store) throw new StoreError('unknown_store', `there is no store ${name}`)
    return store
  }

  /** Throws StoreError `closed`, `unknown_store`, `unreadable`. */
  value(name: string, key: Uint8Array): Uint8Array | undefined {
    this.ensureReadable()
    return this.store(name).value(key, this.phase !== 'open')
  }

  /** The value of a committed leaf, cached with `keep`. Throws as `value`. */
  valueAt(name: string, leaf: number, key: Uint8Array, keep: boolean): Uint8Array {
    this.ensureReadable()
    return this.store(name).valueAt(leaf, key, this.phase !== 'open', keep)
  }

  keeps(height: number): boolean {
    return height >= this.#earliestHeight && height > 0
  }

  /** Keeps `height` and all above it from being pruned until the returned function is called. */
  hold(height: number): () => void {
    const id = Symbol()
    this.#held.set(id, height)
    return () => this.#held.delete(id)
  }

  /** Moves on to the version that has been committed. */
  advance(height: number, appHash: Uint8Array): void {
    if (this.#earliestHeight === 0) this.#earliestHeight = height
    this.#height = height
    this.#appHash = appHash
  }

  /** From now on nothing below `height` is read. */
  forgetBelow(height: number): void {
    this.#earliestHeight = height
  }

  ensureReadable(): void {
    if (this.phase === 'closed') throw new StoreError('closed', 'the store is closed')
  }

  ensureWritable(): void {
    this.ensureReadable()
    if (this.phase === 'committing') throw new StoreError('busy', 'a commit is on its way to disk')
    if (this.phase === 'failed')
      throw new StoreError('write_failed', 'an earlier write failed; restart the node')
  }
}

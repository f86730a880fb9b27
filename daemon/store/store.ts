import type { Log } from '../../core/log.ts'
import type { StateReader, StoreWrites, Write } from '../../core/state-reader.ts'
import { checkWrites } from './check-writes.ts'
import { ChunkSource } from './disk/chunk-source.ts'
import { putLocal, putStoreList, putTree, putVersion } from './disk/commit-batch.ts'
import { Database } from './disk/database.ts'
import { localKey } from './disk/database-keys.ts'
import { type OpenedState, openState, readVersion } from './disk/open-state.ts'
import { Pruner } from './disk/pruner.ts'
import { EMPTY_HASH } from './disk/version-record.ts'
import { HashedStore } from './hashed-store.ts'
import { type PruningOptions, type PruningPlan, pruningPlan } from './pruning-options.ts'
import { HistoricalReader, notKept, type ProvenValue } from './read/historical-reader.ts'
import { LatestReader } from './read/latest-reader.ts'
import { StoreError } from './store-error.ts'
import type { StagedTree } from './tree/memory-tree.ts'
import { multistoreHash } from './tree/multistore-root.ts'

const VALUE_CACHE_BYTES = 128 << 20
const CHUNK_CACHE_BYTES = 64 << 20
const READERS_KEPT = 32

export interface StoreOptions {
  /** The database's directory; made where it is missing. */
  readonly path: string
  /** Every hashed store. One that the database does not hold yet starts empty. */
  readonly stores: readonly string[]
  readonly pruning: PruningOptions
  readonly log?: Log
}

export interface StoreStats {
  readonly leaves: number
  /** On disk, about; what the last minutes wrote may be missing. */
  readonly bytes: number
  /** Outside the garbage collector's heap. */
  readonly treeBytes: number
  readonly cachedValueBytes: number
  /** The last `stage`: trees and hashes. */
  readonly lastStageMs: number
  /** The last `commit`: until the batch was on disk. */
  readonly lastCommitMs: number
}

interface StagedVersion {
  readonly height: number
  readonly appHash: Uint8Array
  readonly trees: ReadonlyMap<HashedStore, { readonly staged: StagedTree; readonly writes: readonly Write[] }>
}

/**
 * The node's state: named stores, each an IAVL tree whose latest version is in memory, over one level database that
 * holds flat current state, the nodes of every kept version and a local namespace. Roots, app hash and proofs are those
 * of cosmos/iavl v1 and the SDK's multistore. A version is a block height; heights may be skipped.
 *
 * Every commit is one atomic batch, on disk when it resolves. Values read from disk are checked against the tree.
 */
export class Store {
  readonly #database: Database
  readonly #chunks: ChunkSource
  readonly #stores = new Map<string, HashedStore>()
  readonly #names = new Map<number, string>()
  readonly #ids: ReadonlyMap<string, number>
  readonly #readers = new Map<number, HistoricalReader>()
  #storesAreNew: boolean
  #state: 'open' | 'committing' | 'failed' | 'closed' = 'open'
  #staged: StagedVersion | undefined
  #writing: Promise<void> = Promise.resolve()
  #reader: LatestReader
  #current: { readonly height: number; readonly appHash: Uint8Array }
  #earliest: number
  #lastStageMs = 0
  #lastCommitMs = 0
  #diskBytes = 0
  readonly #pruner: Pruner
  readonly #held = new Map<symbol, number>()

  private constructor(database: Database, opened: OpenedState, plan: PruningPlan, log: Log | undefined) {
    this.#database = database
    this.#chunks = new ChunkSource(database, CHUNK_CACHE_BYTES)
    const cacheBytes = VALUE_CACHE_BYTES / opened.stores.length
    for (const store of opened.stores) {
      this.#stores.set(store.name, new HashedStore(store, database, this.#chunks, cacheBytes))
      this.#names.set(store.id, store.name)
    }
    this.#ids = opened.ids
    this.#storesAreNew = opened.hasNewStores
    this.#current = { height: opened.height, appHash: opened.appHash }
    this.#earliest = opened.earliestHeight
    this.#reader = this.#newReader()
    this.#pruner = this.#newPruner(plan, log)
  }

  /**
   * Throws StoreError: `bad_options`; `locked`; `foreign`, `unreadable` or `unlisted_store` for a database that is not
   * this program's or not whole. Nothing is changed then.
   */
  static async open(options: StoreOptions): Promise<Store> {
    const { stores } = options
    if (
      stores.length === 0 ||
      new Set(stores).size !== stores.length ||
      !stores.every((s) => /^[\x21-\x7e]{1,127}$/.test(s))
    ) {
      throw new StoreError(
        'bad_options',
        'stores must be distinct names of 1 to 127 printable ASCII characters',
      )
    }
    const plan = pruningPlan(options.pruning)
    const { log } = options
    const database = await Database.open(options.path)
    try {
      const started = performance.now()
      const opened = await openState(database, stores)
      const leaves = opened.stores.reduce((sum, { tree }) => sum + tree.leaves, 0)
      const ms = Math.round(performance.now() - started)
      log?.info({ height: opened.height, leaves, ms }, 'opened the store')
      return new Store(database, opened, plan, log)
    } catch (error) {
      await database.close()
      throw error
    }
  }

  /** The last committed height; 0 for an empty store. */
  get height(): number {
    return this.#current.height
  }

  /** Of the last committed version; sha256 of nothing for an empty store, as in the SDK. */
  get appHash(): Uint8Array {
    return this.#current.appHash
  }

  /** The first height that `at` gives; 0 for an empty store. */
  get earliestHeight(): number {
    return this.#earliest
  }

  /**
   * Reads the last committed version. A reader, or an iterator, taken before a commit goes on reading its own version
   * from history, as long as that is kept.
   */
  get latest(): StateReader {
    return this.#reader
  }

  /** Throws StoreError `height_in_future`, or `height_not_kept` for a pruned height and one never committed. */
  at(height: number): HistoricalReader {
    this.#ensureReadable()
    if (height > this.height) {
      throw new StoreError(
        'height_in_future',
        `height ${height} is above the last committed height ${this.height}`,
      )
    }
    if (!this.#isKept(height)) throw notKept(height)
    const known = this.#readers.get(height)
    if (known) return known
    const record = readVersion(this.#database, height)
    if (!record) throw notKept(height)
    const reader = new HistoricalReader(
      record,
      this.#chunks,
      this.#names,
      (store) => this.#stores.has(store),
      (kept) => this.#isKept(kept),
    )
    for (const oldest of this.#readers.keys()) {
      if (this.#readers.size < READERS_KEPT) break
      this.#readers.delete(oldest)
    }
    this.#readers.set(height, reader)
    return reader
  }

  /** Keeps `height` and all above it from being pruned until the returned function is called. */
  hold(height: number): () => void {
    this.at(height)
    const id = Symbol()
    this.#held.set(id, height)
    return () => this.#held.delete(id)
  }

  /** Resolves when no pruning is under way. */
  pruned(): Promise<void> {
    return this.#pruner.idle()
  }

  /** `at(height).prove(storeName, key)`. */
  prove(storeName: string, key: Uint8Array, height: number): ProvenValue {
    return this.at(height).prove(storeName, key)
  }

  /**
   * Applies a block's writes to the trees and returns the app hash of `height`. Nothing is persisted and nothing is
   * readable until `commit`; staging again replaces what was staged. Written arrays must not be changed afterwards.
   *
   * Throws StoreError `bad_write`, `unknown_store`, `busy`.
   */
  stage(height: number, writes: readonly StoreWrites[]): Uint8Array {
    this.#ensureWritable()
    const started = performance.now()
    if (!Number.isSafeInteger(height) || height <= this.height) {
      throw new StoreError('bad_write', `height ${height} does not follow ${this.height}`)
    }
    const byStore = new Map<HashedStore, readonly Write[]>()
    for (const block of writes) {
      const store = this.#storeNamed(block.store)
      if (byStore.has(store)) throw new StoreError('bad_write', `store ${block.store} is written twice`)
      checkWrites(block)
      byStore.set(store, block.writes)
    }
    this.discardStaged()
    const trees = new Map<HashedStore, { staged: StagedTree; writes: readonly Write[] }>()
    for (const [store, storeWrites] of byStore) {
      trees.set(store, { staged: store.tree.stage(height, storeWrites), writes: storeWrites })
    }
    const roots = [...this.#stores.values()].map((store) => ({
      name: store.name,
      hash: store.tree.rootHash(trees.get(store)?.staged.root ?? store.tree.root) ?? EMPTY_HASH,
    }))
    this.#staged = { height, appHash: multistoreHash(roots), trees }
    this.#lastStageMs = performance.now() - started
    return this.#staged.appHash
  }

  discardStaged(): void {
    this.#ensureWritable()
    for (const [store, { staged }] of this.#staged?.trees ?? []) store.tree.discard(staged)
    this.#staged = undefined
  }

  /**
   * Persists what was staged, and `local` writes with it, in one synced batch; then `latest`, `height` and `appHash`
   * move on. Throws StoreError `nothing_staged`, `busy`, `write_failed`; after the last the store takes no more writes.
   */
  async commit(local: readonly Write[] = []): Promise<void> {
    this.#ensureWritable()
    const staged = this.#staged
    if (!staged) throw new StoreError('nothing_staged', 'commit without a staged version')
    const started = performance.now()
    this.#state = 'committing'
    this.#writing = this.#persist(staged, local)
    await this.#writing
    this.#pruner.committed()
    this.#lastCommitMs = performance.now() - started
  }

  /** The node's own namespace: the same database, outside the hashed trees, at no height. */
  readonly local = {
    get: (key: Uint8Array): Uint8Array | undefined => {
      this.#ensureReadable()
      return this.#database.get(localKey(key))
    },
    /** On disk when it resolves, all or nothing. */
    put: async (writes: readonly Write[]): Promise<void> => {
      this.#ensureReadable()
      await this.#database.write((batch) => putLocal(batch, writes))
    },
  }

  stats(): StoreStats {
    let leaves = 0
    let treeBytes = 0
    let cachedValueBytes = 0
    for (const { tree, cachedBytes } of this.#stores.values()) {
      leaves += tree.leaves
      treeBytes += tree.bytes
      cachedValueBytes += cachedBytes
    }
    return {
      leaves,
      bytes: this.#diskBytes,
      treeBytes,
      cachedValueBytes,
      lastStageMs: this.#lastStageMs,
      lastCommitMs: this.#lastCommitMs,
    }
  }

  /** Waits for a commit that is under way. What is only staged is lost. */
  async close(): Promise<void> {
    await this.#writing.catch(() => undefined)
    if (this.#state === 'closed') return
    this.#state = 'closed'
    await this.#pruner.stop()
    await this.#database.close()
  }

  async #persist(version: StagedVersion, local: readonly Write[]): Promise<void> {
    const { height, appHash, trees } = version
    try {
      await this.#database.write((batch) => {
        putLocal(batch, local)
        for (const [store, { staged, writes }] of trees) {
          putTree(batch, store.id, height, store.tree, staged, writes)
        }
        const roots = [...this.#stores.values()].map(
          (store) => [store.id, store.root(trees.get(store)?.staged)] as const,
        )
        putVersion(batch, { height, previousHeight: this.height, appHash, roots: new Map(roots) })
        if (this.#storesAreNew) putStoreList(batch, this.#ids)
      })
      this.#settle(version)
    } catch (error) {
      this.#state = 'failed'
      throw error
    }
    this.#state = 'open'
    this.#database.mark.write(height)
  }

  #settle(version: StagedVersion): void {
    for (const [store, { staged, writes }] of version.trees) {
      store.settle(staged, writes)
    }
    if (this.#earliest === 0) this.#earliest = version.height
    this.#current = { height: version.height, appHash: version.appHash }
    this.#staged = undefined
    this.#storesAreNew = false
    this.#reader = this.#newReader()
  }

  #newReader(): LatestReader {
    const store = this
    return new LatestReader({
      get height() {
        return store.height
      },
      treeOf: (name) => this.#storeNamed(name).tree,
      valueOf: (name, key) => {
        this.#ensureReadable()
        return this.#storeNamed(name).value(key, this.#state !== 'open')
      },
      holds: (name, key) => this.#storeNamed(name).holds(key),
      valueAtLeaf: (name, leaf, key, keep) => {
        this.#ensureReadable()
        return this.#storeNamed(name).valueAt(leaf, key, this.#state !== 'open', keep)
      },
      at: (height) => this.at(height),
    })
  }

  #newPruner(plan: PruningPlan, log: Log | undefined): Pruner {
    const store = this
    return new Pruner(this.#database, this.#chunks, plan, {
      get height() {
        return store.height
      },
      get earliestHeight() {
        return store.#earliest
      },
      get heldHeight() {
        return Math.min(Number.POSITIVE_INFINITY, ...store.#held.values())
      },
      storeIds: [...this.#names.keys()],
      moveEarliest: (height) => {
        this.#earliest = height
        for (const known of this.#readers.keys()) if (known < height) this.#readers.delete(known)
      },
      tellSize: (bytes) => {
        this.#diskBytes = bytes
      },
      tellFailure: (error) =>
        log?.error({ error: String(error) }, 'pruning has stopped until the next start'),
    })
  }

  #storeNamed(name: string): HashedStore {
    const store = this.#stores.get(name)
    if (!store) throw new StoreError('unknown_store', `there is no store ${name}`)
    return store
  }

  #isKept(height: number): boolean {
    return height >= this.#earliest && height > 0
  }

  #ensureReadable(): void {
    if (this.#state === 'closed') throw new StoreError('closed', 'the store is closed')
  }

  #ensureWritable(): void {
    this.#ensureReadable()
    if (this.#state === 'committing') throw new StoreError('busy', 'a commit is on its way to disk')
    if (this.#state === 'failed')
      throw new StoreError('write_failed', 'an earlier write failed; restart the node')
  }
}

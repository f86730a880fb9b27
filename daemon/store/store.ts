import type { Log } from '../../core/log.ts'
import type { StateReader, StoreWrites, Write } from '../../core/state-reader.ts'
import { checkWrites } from './check-writes.ts'
import { ChunkSource } from './disk/chunk-source.ts'
import { putLocal, putStoreList, putTree, putVersion } from './disk/commit-batch.ts'
import { Database } from './disk/database.ts'
import { localKey } from './disk/database-keys.ts'
import { runExclusively } from './disk/exclusively.ts'
import { type OpenedState, openState } from './disk/open-state.ts'
import { Pruner } from './disk/pruner.ts'
import { EMPTY_HASH } from './disk/version-record.ts'
import { HashedStore } from './hashed-store.ts'
import { type PruningOptions, type PruningPlan, pruningPlan } from './pruning-options.ts'
import type { HistoricalReader, ProvenValue } from './read/historical-reader.ts'
import { History } from './read/history.ts'
import { LatestReader } from './read/latest-reader.ts'
import { State } from './state.ts'
import { StoreError } from './store-error.ts'
import type { StagedTree } from './tree/memory-tree.ts'
import { multistoreHash } from './tree/multistore-root.ts'

const VALUE_CACHE_BYTES = 128 << 20
const CHUNK_CACHE_BYTES = 64 << 20

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
  readonly #state: State
  readonly #history: History
  readonly #ids: ReadonlyMap<string, number>
  #storesAreNew: boolean
  #staged: StagedVersion | undefined
  #writing: Promise<void> = Promise.resolve()
  #reader: LatestReader
  #lastStageMs = 0
  #lastCommitMs = 0
  readonly #pruner: Pruner

  private constructor(database: Database, opened: OpenedState, plan: PruningPlan, log: Log | undefined) {
    this.#database = database
    const chunks = new ChunkSource(database, CHUNK_CACHE_BYTES)
    const cacheBytes = VALUE_CACHE_BYTES / opened.stores.length
    const stores = opened.stores.map((store) => new HashedStore(store, database, chunks, cacheBytes))
    this.#state = new State(stores, opened)
    this.#history = new History(database, chunks, this.#state)
    this.#pruner = new Pruner(database, chunks, this.#state, plan, log)
    this.#ids = opened.ids
    this.#storesAreNew = opened.hasNewStores
    this.#reader = new LatestReader(this.#state, this.#history)
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

  /**
   * Runs while no other process can open the database at `path`, which may be damaged or missing; `run` may delete it.
   * Throws StoreError `locked` where another process has it open.
   */
  static async withoutOthers(path: string, run: () => Promise<void>): Promise<void> {
    if (!(await runExclusively(path, run)))
      throw new StoreError('locked', `${path} is in use by another process`)
  }

  /** The last committed height; 0 for an empty store. */
  get height(): number {
    return this.#state.height
  }

  /** Of the last committed version; sha256 of nothing for an empty store, as in the SDK. */
  get appHash(): Uint8Array {
    return this.#state.appHash
  }

  /** The first height that `at` gives; 0 for an empty store. */
  get earliestHeight(): number {
    return this.#state.earliestHeight
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
    return this.#history.at(height)
  }

  /** Keeps `height` and all above it from being pruned until the returned function is called. */
  hold(height: number): () => void {
    this.at(height)
    return this.#state.hold(height)
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
    this.#state.ensureWritable()
    const started = performance.now()
    if (!Number.isSafeInteger(height) || height <= this.height) {
      throw new StoreError('bad_write', `height ${height} does not follow ${this.height}`)
    }
    const byStore = new Map<HashedStore, readonly Write[]>()
    for (const block of writes) {
      const store = this.#state.store(block.store)
      if (byStore.has(store)) throw new StoreError('bad_write', `store ${block.store} is written twice`)
      checkWrites(block)
      byStore.set(store, block.writes)
    }
    this.discardStaged()
    const trees = new Map<HashedStore, { staged: StagedTree; writes: readonly Write[] }>()
    for (const [store, storeWrites] of byStore) {
      trees.set(store, { staged: store.tree.stage(height, storeWrites), writes: storeWrites })
    }
    const roots = [...this.#state.stores.values()].map((store) => ({
      name: store.name,
      hash: store.tree.rootHash(trees.get(store)?.staged.root ?? store.tree.root) ?? EMPTY_HASH,
    }))
    this.#staged = { height, appHash: multistoreHash(roots), trees }
    this.#lastStageMs = performance.now() - started
    return this.#staged.appHash
  }

  discardStaged(): void {
    this.#state.ensureWritable()
    for (const [store, { staged }] of this.#staged?.trees ?? []) store.tree.discard(staged)
    this.#staged = undefined
  }

  /**
   * Persists what was staged, and `local` writes with it, in one synced batch; then `latest`, `height` and `appHash`
   * move on. Throws StoreError `nothing_staged`, `busy`, `write_failed`; after the last the store takes no more writes.
   */
  async commit(local: readonly Write[] = []): Promise<void> {
    this.#state.ensureWritable()
    const staged = this.#staged
    if (!staged) throw new StoreError('nothing_staged', 'commit without a staged version')
    const started = performance.now()
    this.#state.phase = 'committing'
    this.#writing = this.#persist(staged, local)
    await this.#writing
    this.#pruner.committed()
    this.#lastCommitMs = performance.now() - started
  }

  /** The node's own namespace: the same database, outside the hashed trees, at no height. */
  readonly local = {
    get: (key: Uint8Array): Uint8Array | undefined => {
      this.#state.ensureReadable()
      return this.#database.get(localKey(key))
    },
    /** On disk when it resolves, all or nothing. */
    put: async (writes: readonly Write[]): Promise<void> => {
      this.#state.ensureReadable()
      await this.#database.write((batch) => putLocal(batch, writes))
    },
  }

  stats(): StoreStats {
    let leaves = 0
    let treeBytes = 0
    let cachedValueBytes = 0
    for (const { tree, cachedBytes } of this.#state.stores.values()) {
      leaves += tree.leaves
      treeBytes += tree.bytes
      cachedValueBytes += cachedBytes
    }
    return {
      leaves,
      bytes: this.#pruner.bytes,
      treeBytes,
      cachedValueBytes,
      lastStageMs: this.#lastStageMs,
      lastCommitMs: this.#lastCommitMs,
    }
  }

  /** Waits for a commit that is under way. What is only staged is lost. */
  async close(): Promise<void> {
    await this.#writing.catch(() => undefined)
    if (this.#state.phase === 'closed') return
    this.#state.phase = 'closed'
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
        const roots = [...this.#state.stores.values()].map(
          (store) => [store.id, store.root(trees.get(store)?.staged)] as const,
        )
        putVersion(batch, { height, previousHeight: this.height, appHash, roots: new Map(roots) })
        if (this.#storesAreNew) putStoreList(batch, this.#ids)
      })
      this.#settle(version)
    } catch (error) {
      this.#state.phase = 'failed'
      throw error
    }
    this.#state.phase = 'open'
    this.#database.mark.write(height)
  }

  #settle(version: StagedVersion): void {
    for (const [store, { staged, writes }] of version.trees) {
      store.settle(staged, writes)
    }
    this.#state.advance(version.height, version.appHash)
    this.#staged = undefined
    this.#storesAreNew = false
    this.#reader = new LatestReader(this.#state, this.#history)
  }
}

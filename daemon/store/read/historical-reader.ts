import type { StateReader } from '../../../core/state-reader.ts'
import type { ChunkSource } from '../disk/chunk-source.ts'
import type { VersionRecord } from '../disk/version-record.ts'
import type { State } from '../state.ts'
import { StoreError } from '../store-error.ts'
import { byName, type StoreRoot } from '../tree/multistore-root.ts'
import { iavlProof, multistoreProof, type ProofOp } from './proof.ts'
import { StoredTree } from './stored-tree.ts'

export interface ProvenValue {
  /** Absent where the ops prove that there is none. */
  readonly value: Uint8Array | undefined
  /** The tree's proof, then the proof of the tree's root in the app hash. */
  readonly ops: readonly [ProofOp, ProofOp]
}

/** One kept version. Reads throw StoreError `height_not_kept` once it has been pruned. */
export class HistoricalReader implements StateReader {
  readonly height: number
  readonly appHash: Uint8Array
  /** Of every store, by name. */
  readonly roots: readonly StoreRoot[]
  readonly #trees = new Map<string, StoredTree>()
  readonly #state: State

  constructor(record: VersionRecord, source: ChunkSource, state: State) {
    this.height = record.height
    this.appHash = record.appHash
    this.#state = state
    const roots: StoreRoot[] = []
    for (const [id, root] of record.roots) {
      const name = state.names.get(id)
      if (name === undefined)
        throw new StoreError('unreadable', `version ${record.height} names unknown store ${id}`)
      roots.push({ name, hash: root.hash })
      this.#trees.set(name, new StoredTree(source, id, root.ref))
    }
    this.roots = roots.sort(byName)
  }

  get(store: string, key: Uint8Array): Uint8Array | undefined {
    return this.#kept(() => this.#tree(store)?.get(key))
  }

  has(store: string, key: Uint8Array): boolean {
    return this.get(store, key) !== undefined
  }

  rank(store: string, key?: Uint8Array): number {
    return this.#kept(() => this.#tree(store)?.rank(key) ?? 0)
  }

  keyAt(store: string, rank: number): Uint8Array | undefined {
    return this.#kept(() => this.#tree(store)?.keyAt(rank))
  }

  entries(
    store: string,
    start: Uint8Array,
    end: Uint8Array | undefined,
    reverse = false,
  ): IterableIterator<readonly [Uint8Array, Uint8Array]> {
    const tree = this.#tree(store)
    return tree ? this.#guarded(tree.entries(start, end, reverse)) : [].values()
  }

  /**
   * The value of `key` and its proof against this version's app hash. Throws StoreError `nothing_to_prove` for a store
   * that was empty, `unknown_store` for one that did not exist.
   */
  prove(store: string, key: Uint8Array): ProvenValue {
    return this.#kept(() => {
      const tree = this.#tree(store)
      if (!tree) throw new StoreError('unknown_store', `there was no store ${store} at height ${this.height}`)
      return { value: tree.get(key), ops: [iavlProof(tree, key), multistoreProof(this.roots, store)] }
    })
  }

  #tree(store: string): StoredTree | undefined {
    const tree = this.#trees.get(store)
    // A known store that is younger than this version was empty in it; an unknown one throws.
    if (!tree) this.#state.store(store)
    return tree
  }

  /** Nodes that are missing because the version was pruned meanwhile are not damage. */
  #kept<T>(read: () => T): T {
    if (!this.#state.keeps(this.height)) throw notKept(this.height)
    return read()
  }

  *#guarded<T>(entries: IterableIterator<T>): IterableIterator<T> {
    for (;;) {
      const next = this.#kept(() => entries.next())
      if (next.done) return
      yield next.value
    }
  }
}

export function notKept(height: number): StoreError {
  return new StoreError('height_not_kept', `height ${height} is not kept`)
}

import { ByteCache } from '../../core/byte-cache.ts'
import { toHex, toLatin1 } from '../../core/bytes.ts'
import type { Write } from '../../core/state-reader.ts'
import type { ChunkSource } from './disk/chunk-source.ts'
import type { Database } from './disk/database.ts'
import { stateKey } from './disk/database-keys.ts'
import { EMPTY_HASH, type TreeRoot } from './disk/version-record.ts'
import { StoreError } from './store-error.ts'
import type { MemoryTree, StagedTree } from './tree/memory-tree.ts'
import { NIL } from './tree/node-arena.ts'
import { arenaLeafHash } from './tree/node-hash.ts'

const ENTRY_BYTES = 160

/** One named store: its latest tree in memory, its values in the database behind a bounded cache of what was read. */
export class HashedStore {
  readonly id: number
  readonly name: string
  readonly tree: MemoryTree
  readonly #values: ByteCache<Uint8Array>
  readonly #database: Database
  readonly #chunks: ChunkSource

  constructor(
    { id, name, tree }: { readonly id: number; readonly name: string; readonly tree: MemoryTree },
    database: Database,
    chunks: ChunkSource,
    cacheBytes: number,
  ) {
    this.id = id
    this.name = name
    this.tree = tree
    this.#values = new ByteCache(cacheBytes)
    this.#database = database
    this.#chunks = chunks
  }

  get cachedBytes(): number {
    return this.#values.bytes
  }

  /**
   * The committed value of `key`. `fromRecord` reads it from the tree's own record, which never changes: flat state may
   * already be that of a version on its way to disk.
   */
  value(key: Uint8Array, fromRecord: boolean): Uint8Array | undefined {
    const cached = this.#values.get(toLatin1(key))
    if (cached) return cached
    const leaf = this.tree.find(this.tree.root, key)
    return leaf === NIL ? undefined : this.valueAt(leaf, key, fromRecord, true)
  }

  holds(key: Uint8Array): boolean {
    return this.tree.find(this.tree.root, key) !== NIL
  }

  /** The value of a committed leaf, kept in the cache where the caller expects to read it again. */
  valueAt(leaf: number, key: Uint8Array, fromRecord: boolean, keep: boolean): Uint8Array {
    const id = toLatin1(key)
    const cached = this.#values.get(id)
    if (cached) return cached
    const value = fromRecord ? this.#recorded(leaf) : this.#stored(leaf, key)
    if (keep) this.#values.set(id, value, value.length + key.length + ENTRY_BYTES)
    return value
  }

  settle(staged: StagedTree, writes: readonly Write[]): void {
    this.tree.settle(staged)
    for (const [key, value] of writes) {
      const id = toLatin1(key)
      if (value === null) this.#values.delete(id)
      else this.#values.replace(id, value, value.length + key.length + ENTRY_BYTES)
    }
  }

  root(staged: StagedTree | undefined): TreeRoot {
    const { arena } = this.tree
    const root = staged?.root ?? this.tree.root
    if (root === NIL) return { hash: EMPTY_HASH, ref: undefined, leaves: 0 }
    const ref = { version: arena.version(root), index: arena.index(root) }
    return { hash: arena.hash(root), ref, leaves: arena.size(root) }
  }

  #recorded(leaf: number): Uint8Array {
    const { arena } = this.tree
    const ref = { version: arena.version(leaf), index: arena.index(leaf) }
    return new Uint8Array(this.#chunks.node(this.id, ref).value!)
  }

  #stored(leaf: number, key: Uint8Array): Uint8Array {
    const { arena, keys } = this.tree
    const value = this.#database.get(stateKey(this.id, key))
    if (value && arena.hashIs(leaf, arenaLeafHash(arena, keys, leaf, value))) return value
    const what = value ? 'does not have its committed hash' : 'is missing'
    throw new StoreError(
      'unreadable',
      `store ${this.name}: the value of key ${toHex(key)} ${what}; restore the database from a copy`,
    )
  }
}

import { StoreError } from '../store-error.ts'
import { MemoryTree } from '../tree/memory-tree.ts'
import { byName, multistoreHash } from '../tree/multistore-root.ts'
import type { Database } from './database.ts'
import { heightOf, META_EARLIEST, META_LATEST, META_STORES, versionKey } from './database-keys.ts'
import { loadTree } from './load-tree.ts'
import { decodeVersion, EMPTY_HASH, type VersionRecord } from './version-record.ts'

export interface OpenedStore {
  readonly id: number
  readonly name: string
  readonly tree: MemoryTree
}

/** The state that an opened database says it has, checked. */
export interface OpenedState {
  /** 0 where nothing was committed. */
  readonly height: number
  readonly appHash: Uint8Array
  readonly earliestHeight: number
  readonly ids: Map<string, number>
  readonly hasNewStores: boolean
  /** Sorted by name. */
  readonly stores: readonly OpenedStore[]
}

/** Throws StoreError `unreadable` or `unlisted_store`. */
export async function openState(database: Database, listed: readonly string[]): Promise<OpenedState> {
  const ids = readIds(database)
  const height = readHeight(database, META_LATEST)
  if (height < database.mark.height) {
    throw new StoreError(
      'unreadable',
      `the database is at height ${height}, but height ${database.mark.height} had been committed: data has been lost; restore it from a copy`,
    )
  }
  if (height > 0 && ids.size === 0) throw new StoreError('unreadable', 'the list of stores is missing')
  for (const name of ids.keys()) {
    if (!listed.includes(name)) {
      throw new StoreError(
        'unlisted_store',
        `the database holds store ${name}, which this program does not know`,
      )
    }
  }
  const record = height > 0 ? readVersion(database, height) : undefined
  if (height > 0 && !record) throw new StoreError('unreadable', `the record of height ${height} is missing`)
  let nextId = Math.max(0, ...ids.values()) + 1
  const stores: OpenedStore[] = []
  for (const name of [...listed].sort((a, b) => byName({ name: a }, { name: b }))) {
    const known = ids.get(name)
    const id = known ?? nextId++
    const root = record?.roots.get(id)
    ids.set(name, id)
    stores.push({ id, name, tree: root ? await loadTree(database, id, name, root) : new MemoryTree() })
  }
  if (record) checkAppHash(record, stores)
  return {
    height,
    appHash: record?.appHash ?? EMPTY_HASH,
    earliestHeight: readHeight(database, META_EARLIEST),
    hasNewStores: record?.roots.size !== ids.size,
    ids,
    stores,
  }
}

/** Undefined where the height is not kept. */
export function readVersion(database: Database, height: number): VersionRecord | undefined {
  const bytes = database.get(versionKey(height))
  if (!bytes) return undefined
  try {
    return decodeVersion(height, bytes)
  } catch (error) {
    throw new StoreError('unreadable', `the record of height ${height} is damaged`, { cause: error })
  }
}

function checkAppHash(record: VersionRecord, stores: readonly OpenedStore[]): void {
  const roots = stores.flatMap(({ id, name }) => {
    const root = record.roots.get(id)
    return root ? [{ name, hash: root.hash }] : []
  })
  if (roots.length !== record.roots.size || Buffer.compare(multistoreHash(roots), record.appHash) !== 0) {
    throw new StoreError('unreadable', `the record of height ${record.height} does not have its app hash`)
  }
}

/** The last committed height, and the first that is kept. */
export const readHeights = (database: Database): { readonly latest: number; readonly earliest: number } => ({
  latest: readHeight(database, META_LATEST),
  earliest: readHeight(database, META_EARLIEST),
})

function readHeight(database: Database, key: Uint8Array): number {
  const bytes = database.get(key)
  if (!bytes) return 0
  try {
    return heightOf(bytes)
  } catch (error) {
    throw new StoreError('unreadable', 'a recorded height is damaged', { cause: error })
  }
}

export function readIds(database: Database): Map<string, number> {
  const bytes = database.get(META_STORES)
  if (!bytes) return new Map()
  try {
    return new Map(Object.entries(JSON.parse(Buffer.from(bytes).toString()) as Record<string, number>))
  } catch (error) {
    throw new StoreError('unreadable', 'the list of stores is damaged', { cause: error })
  }
}

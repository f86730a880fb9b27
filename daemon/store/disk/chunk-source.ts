import { ByteCache } from '../../../core/byte-cache.ts'
import { StoreError } from '../store-error.ts'
import type { Database } from './database.ts'
import { chunkKey } from './database-keys.ts'
import { CHUNK_NODES, NodeChunk, type NodeRef, type StoredNode } from './node-chunk.ts'

const OBJECT_BYTES = 256

/** Stored nodes of every kept version, through a bounded cache of chunks. */
export class ChunkSource {
  readonly #database: Database
  readonly #cache: ByteCache<NodeChunk>

  constructor(database: Database, cacheBytes: number) {
    this.#database = database
    this.#cache = new ByteCache(cacheBytes)
  }

  /** Throws StoreError `unreadable`. */
  node(store: number, ref: NodeRef): StoredNode {
    const chunk = Math.floor(ref.index / CHUNK_NODES)
    const id = `${store}/${ref.version}/${chunk}`
    let entry = this.#cache.get(id)
    if (!entry) {
      entry = checkedChunk(
        this.#database.getBuffer(chunkKey(store, ref.version, chunk)),
        id,
        ref.version,
        chunk,
      )
      this.#cache.set(id, entry, entry.bytes.length + OBJECT_BYTES)
    }
    return checkedNode(entry, id, ref.index)
  }

  forget(store: number, version: number, chunk: number): void {
    this.#cache.delete(`${store}/${version}/${chunk}`)
  }
}

export function checkedChunk(
  bytes: Buffer | undefined,
  id: string,
  version: number,
  chunk: number,
): NodeChunk {
  if (!bytes)
    throw new StoreError('unreadable', `tree nodes ${id} are missing; restore the database from a copy`)
  try {
    return new NodeChunk(bytes, version, chunk)
  } catch (error) {
    throw damaged(id, error)
  }
}

export function checkedNode(chunk: NodeChunk, id: string, index: number): StoredNode {
  try {
    return chunk.node(index)
  } catch (error) {
    throw damaged(id, error)
  }
}

function damaged(id: string, error: unknown): StoreError {
  const message = error instanceof Error ? error.message : String(error)
  return new StoreError(
    'unreadable',
    `tree nodes ${id} are damaged (${message}); restore the database from a copy`,
  )
}

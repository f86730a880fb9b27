import type { StoreWrites, Write } from '../../core/state-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import type { DatabaseOperation } from './database.ts'
import {
  chunkKey,
  deadKey,
  heightBytes,
  localKey,
  META_EARLIEST,
  META_LATEST,
  META_STORES,
  orphansKey,
  stateKey,
  versionKey,
} from './database-keys.ts'
import { DeadMask } from './dead-mask.ts'
import type { MemoryTree, StagedTree } from './memory-tree.ts'
import { assignPositions, CHUNK_NODES, encodeChunk } from './node-chunk.ts'
import { encodeOrphans } from './orphan-list.ts'
import { encodeVersion, type VersionRecord } from './version-record.ts'

const BYTES_PER_NODE = 128

/** Chunks, orphans and flat state of one tree's staged version. Gives the new nodes their positions. */
export function treeOperations(
  store: number,
  height: number,
  tree: MemoryTree,
  staged: StagedTree,
  writes: StoreWrites['writes'],
): DatabaseOperation[] {
  const operations: DatabaseOperation[] = []
  const { arena, keys } = tree
  const ordered = assignPositions(arena, staged.fresh)
  const out = new ByteWriter(64 + ordered.length * BYTES_PER_NODE)
  for (let chunk = 0; chunk * CHUNK_NODES < ordered.length; chunk++) {
    const nodes = ordered.subarray(chunk * CHUNK_NODES, (chunk + 1) * CHUNK_NODES)
    const value = encodeChunk(out, arena, keys, nodes, staged.leafValues)
    operations.push({ type: 'put', key: chunkKey(store, height, chunk), value })
    if (nodes.length < CHUNK_NODES) {
      const { bytes } = DeadMask.ofChunk(nodes.length)
      operations.push({ type: 'put', key: deadKey(store, height, chunk), value: bytes })
    }
  }
  if (staged.orphans.length > 0) {
    operations.push({
      type: 'put',
      key: orphansKey(height, store),
      value: encodeOrphans(arena, staged.orphans),
    })
  }
  for (const [key, value] of writes) operations.push(operation(stateKey(store, key), value))
  return operations
}

export function versionOperations(record: VersionRecord): DatabaseOperation[] {
  const operations: DatabaseOperation[] = [
    { type: 'put', key: versionKey(record.height), value: encodeVersion(record) },
    { type: 'put', key: META_LATEST, value: heightBytes(record.height) },
  ]
  if (record.previousHeight === 0) {
    operations.push({ type: 'put', key: META_EARLIEST, value: heightBytes(record.height) })
  }
  return operations
}

export function storeListOperation(ids: ReadonlyMap<string, number>): DatabaseOperation {
  return { type: 'put', key: META_STORES, value: Buffer.from(JSON.stringify(Object.fromEntries(ids))) }
}

export function localOperations(writes: readonly Write[]): DatabaseOperation[] {
  return writes.map(([key, value]) => operation(localKey(key), value))
}

function operation(key: Uint8Array, value: Uint8Array | null): DatabaseOperation {
  return value === null ? { type: 'del', key } : { type: 'put', key, value }
}

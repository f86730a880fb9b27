import type { StoreWrites, Write } from '../../../core/state-reader.ts'
import type { MemoryTree, StagedTree } from '../tree/memory-tree.ts'
import { ByteWriter } from './byte-writer.ts'
import type { Batch } from './database.ts'
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
import { assignPositions, CHUNK_NODES, encodeChunk } from './node-chunk.ts'
import { encodeOrphans } from './orphan-list.ts'
import { encodeVersion, type VersionRecord } from './version-record.ts'

/** Reused for every chunk, so that it stays in the processor's cache. */
const scratch = new ByteWriter(1 << 16)
const LARGEST_KEPT_SCRATCH = 1 << 22

/** Puts chunks, orphans and flat state of one tree's staged version. Gives the new nodes their positions. */
export function putTree(
  batch: Batch,
  store: number,
  height: number,
  tree: MemoryTree,
  staged: StagedTree,
  writes: StoreWrites['writes'],
): void {
  const { arena, keys } = tree
  const ordered = assignPositions(arena, staged.fresh)
  for (let chunk = 0; chunk * CHUNK_NODES < ordered.length; chunk++) {
    const nodes = ordered.subarray(chunk * CHUNK_NODES, (chunk + 1) * CHUNK_NODES)
    scratch.length = 0
    batch.put(chunkKey(store, height, chunk), encodeChunk(scratch, arena, keys, nodes, staged.leafValues))
    if (nodes.length < CHUNK_NODES)
      batch.put(deadKey(store, height, chunk), DeadMask.ofChunk(nodes.length).bytes)
  }
  scratch.shrink(LARGEST_KEPT_SCRATCH)
  if (staged.orphans.length > 0) batch.put(orphansKey(height, store), encodeOrphans(arena, staged.orphans))
  for (const [key, value] of writes) putOrDelete(batch, stateKey(store, key), value)
}

export function putVersion(batch: Batch, record: VersionRecord): void {
  batch.put(versionKey(record.height), encodeVersion(record))
  batch.put(META_LATEST, heightBytes(record.height))
  if (record.previousHeight === 0) batch.put(META_EARLIEST, heightBytes(record.height))
}

export function putStoreList(batch: Batch, ids: ReadonlyMap<string, number>): void {
  batch.put(META_STORES, Buffer.from(JSON.stringify(Object.fromEntries(ids))))
}

export function putLocal(batch: Batch, writes: readonly Write[]): void {
  for (const [key, value] of writes) putOrDelete(batch, localKey(key), value)
}

function putOrDelete(batch: Batch, key: Uint8Array, value: Uint8Array | null): void {
  if (value === null) batch.del(key)
  else batch.put(key, value)
}

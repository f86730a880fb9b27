import { HASH_BYTES } from '../tree/node-arena.ts'
import { sha256 } from '../tree/sha256.ts'
import { ByteReader, ByteWriter } from './byte-writer.ts'
import type { NodeRef } from './node-chunk.ts'

/** The hash of an IAVL tree without leaves, and of a multistore without versions. */
export const EMPTY_HASH: Uint8Array = sha256(new Uint8Array(0))

export interface TreeRoot {
  /** EMPTY_HASH where there is no leaf. */
  readonly hash: Uint8Array
  /** Absent for an empty tree. */
  readonly ref: NodeRef | undefined
  readonly leaves: number
}

/** One committed version. */
export interface VersionRecord {
  readonly height: number
  /** 0 for the first. */
  readonly previousHeight: number
  readonly appHash: Uint8Array
  /** By store id. */
  readonly roots: ReadonlyMap<number, TreeRoot>
}

export function encodeVersion(record: VersionRecord): Buffer {
  const out = new ByteWriter(128 + record.roots.size * 48)
  out.uvarint(record.previousHeight)
  out.append(record.appHash)
  out.uvarint(record.roots.size)
  for (const [store, root] of record.roots) {
    out.uvarint(store)
    out.uvarint(root.leaves)
    if (!root.ref) continue
    out.uvarint(root.ref.version)
    out.uvarint(root.ref.index)
    out.append(root.hash)
  }
  return out.slice(0)
}

/** Throws RangeError where `bytes` are not whole. */
export function decodeVersion(height: number, bytes: Uint8Array): VersionRecord {
  const reader = new ByteReader(bytes)
  const previousHeight = reader.uvarint()
  const appHash = new Uint8Array(reader.take(HASH_BYTES))
  const roots = new Map<number, TreeRoot>()
  for (let count = reader.uvarint(); count > 0; count--) {
    const store = reader.uvarint()
    const leaves = reader.uvarint()
    if (leaves === 0) {
      roots.set(store, { hash: EMPTY_HASH, ref: undefined, leaves })
      continue
    }
    const ref = { version: reader.uvarint(), index: reader.uvarint() }
    roots.set(store, { hash: new Uint8Array(reader.take(HASH_BYTES)), ref, leaves })
  }
  return { height, previousHeight, appHash, roots }
}

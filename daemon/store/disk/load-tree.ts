import { StoreError } from '../store-error.ts'
import { MemoryTree } from '../tree/memory-tree.ts'
import { NIL, type NodeArena } from '../tree/node-arena.ts'
import { innerHash } from '../tree/node-hash.ts'
import { checkedChunk, checkedNode } from './chunk-source.ts'
import type { Database } from './database.ts'
import { chunkKey } from './database-keys.ts'
import { CHUNK_NODES, type NodeRef, type StoredNode } from './node-chunk.ts'
import { sortedByRef } from './orphan-list.ts'
import type { TreeRoot } from './version-record.ts'

const CHUNKS_AT_ONCE = 512

/** A chunk and the arena nodes that wait for its records. */
interface Wanted {
  readonly version: number
  readonly chunk: number
  readonly nodes: Uint32Array
}

/**
 * Reads one version of a tree into memory, level by level, so that each chunk is read about once, and checks every
 * inner hash up to the root's. Throws StoreError `unreadable`.
 */
export async function loadTree(
  database: Database,
  store: number,
  name: string,
  root: TreeRoot,
): Promise<MemoryTree> {
  const tree = new MemoryTree(Math.max(64, Math.ceil(root.leaves * 2.25)))
  if (!root.ref) return tree
  const { arena } = tree
  const place = (ref: NodeRef): number => {
    const node = arena.allocate()
    arena.setVersion(node, ref.version)
    arena.setIndex(node, ref.index)
    return node
  }
  tree.root = place(root.ref)
  let level: number[] = [tree.root]
  while (level.length > 0) {
    const next: number[] = []
    await fill(database, store, arena, level, (node, stored) => {
      put(tree, node, stored)
      if (stored.height === 0) return
      const left = place(stored.left!)
      const right = place(stored.right!)
      arena.setLeft(node, left)
      arena.setRight(node, right)
      next.push(left, right)
    })
    level = next
  }
  check(tree, name, root)
  return tree
}

async function fill(
  database: Database,
  store: number,
  arena: NodeArena,
  level: readonly number[],
  take: (node: number, stored: StoredNode) => void,
): Promise<void> {
  const groups = wanted(arena, level)
  const read = (from: number): Promise<(Uint8Array | undefined)[]> =>
    database.getMany(
      groups.slice(from, from + CHUNKS_AT_ONCE).map(({ version, chunk }) => chunkKey(store, version, chunk)),
    )
  let coming = read(0)
  for (let from = 0; from < groups.length; from += CHUNKS_AT_ONCE) {
    const values = await coming
    if (from + CHUNKS_AT_ONCE < groups.length) {
      coming = read(from + CHUNKS_AT_ONCE)
      // Its failure is reported when it is awaited; a failure here in between must not make it an unhandled one.
      coming.catch(() => undefined)
    }
    for (const [i, value] of values.entries()) {
      const { version, chunk, nodes } = groups[from + i]!
      const id = `${store}/${version}/${chunk}`
      const bytes = value && Buffer.from(value.buffer, value.byteOffset, value.length)
      const decoded = checkedChunk(bytes, id, version, chunk)
      for (const node of nodes) take(node, checkedNode(decoded, id, arena.index(node)))
    }
  }
}

function wanted(arena: NodeArena, level: readonly number[]): Wanted[] {
  const sorted = sortedByRef(arena, level)
  const chunkOf = (position: number): number => Math.floor(arena.index(sorted[position]!) / CHUNK_NODES)
  const groups: Wanted[] = []
  for (let start = 0; start < sorted.length; ) {
    const version = arena.version(sorted[start]!)
    const chunk = chunkOf(start)
    let end = start + 1
    while (end < sorted.length && arena.version(sorted[end]!) === version && chunkOf(end) === chunk) end++
    groups.push({ version, chunk, nodes: sorted.subarray(start, end) })
    start = end
  }
  return groups
}

function put({ arena, keys }: MemoryTree, node: number, stored: StoredNode): void {
  arena.setHeight(node, stored.height)
  arena.setSize(node, stored.size)
  arena.setHash(node, stored.hash)
  if (stored.height > 0) return
  arena.setLeft(node, NIL)
  arena.setRight(node, NIL)
  arena.setKey(node, keys.allocate(stored.key))
}

/** Gives inner nodes their keys, which are those of leaves, and checks hashes and sizes. */
function check(tree: MemoryTree, name: string, root: TreeRoot): void {
  const { arena } = tree
  const firstKey = (node: number): number => {
    if (arena.height(node) === 0) return arena.key(node)
    const left = arena.left(node)
    const right = arena.right(node)
    const first = firstKey(left)
    arena.setKey(node, firstKey(right))
    if (
      arena.size(node) !== arena.size(left) + arena.size(right) ||
      arena.height(node) !== Math.max(arena.height(left), arena.height(right)) + 1 ||
      !arena.hashIs(node, innerHash(arena, node))
    ) {
      throw mismatch(name)
    }
    return first
  }
  firstKey(tree.root)
  if (Buffer.compare(arena.hash(tree.root), root.hash) !== 0 || tree.leaves !== root.leaves)
    throw mismatch(name)
}

function mismatch(name: string): StoreError {
  return new StoreError(
    'unreadable',
    `the tree of store ${name} does not have the committed hash; restore a copy`,
  )
}

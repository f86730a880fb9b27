import type { NodeArena } from '../tree/node-arena.ts'
import { ByteReader, ByteWriter } from './byte-writer.ts'
import type { NodeRef } from './node-chunk.ts'

/** Nodes grouped by version: version, count, then positions ascending as differences; all varints. */
export function encodeOrphans(arena: NodeArena, nodes: readonly number[]): Buffer {
  const sorted = sortedByRef(arena, nodes)
  const out = new ByteWriter(64 + nodes.length * 4)
  let i = 0
  while (i < sorted.length) {
    const of = arena.version(sorted[i]!)
    let end = i
    while (end < sorted.length && arena.version(sorted[end]!) === of) end++
    out.uvarint(of)
    out.uvarint(end - i)
    for (let previous = 0; i < end; i++) {
      const position = arena.index(sorted[i]!)
      out.uvarint(position - previous)
      previous = position
    }
  }
  return out.slice(0)
}

/** Ascending by version, then position. */
export function sortedByRef(arena: NodeArena, nodes: readonly number[]): Uint32Array {
  const count = nodes.length
  let oldest = Number.MAX_SAFE_INTEGER
  let newest = 0
  let span = 1
  for (const node of nodes) {
    const version = arena.version(node)
    if (version < oldest) oldest = version
    if (version > newest) newest = version
    span = Math.max(span, arena.index(node) + 1)
  }
  if ((newest - oldest + 1) * span * count > Number.MAX_SAFE_INTEGER) {
    const byRef = (a: number, b: number): number =>
      arena.version(a) - arena.version(b) || arena.index(a) - arena.index(b)
    return Uint32Array.from(nodes).sort(byRef)
  }
  // Numbers without a comparator are sorted several times faster.
  const keyed = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    const node = nodes[i]!
    keyed[i] = ((arena.version(node) - oldest) * span + arena.index(node)) * count + i
  }
  keyed.sort()
  const sorted = new Uint32Array(count)
  for (let i = 0; i < count; i++) sorted[i] = nodes[keyed[i]! % count]!
  return sorted
}

/** Ascending by version and position. Throws RangeError where `bytes` are not whole. */
export function* decodeOrphans(bytes: Uint8Array): IterableIterator<NodeRef> {
  const reader = new ByteReader(bytes)
  while (reader.offset < reader.end) {
    const version = reader.uvarint()
    let index = 0
    for (let count = reader.uvarint(); count > 0; count--) {
      index += reader.uvarint()
      yield { version, index }
    }
  }
}

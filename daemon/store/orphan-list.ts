import { ByteReader, ByteWriter } from './byte-writer.ts'
import type { NodeArena } from './node-arena.ts'
import type { NodeRef } from './node-chunk.ts'

/** Nodes grouped by version: version, count, then positions ascending as differences; all varints. */
export function encodeOrphans(arena: NodeArena, nodes: readonly number[]): Buffer {
  const { version, index } = arena
  const sorted = sortedByRef(arena, nodes)
  const out = new ByteWriter(64 + nodes.length * 4)
  let i = 0
  while (i < sorted.length) {
    const of = version[sorted[i]!]!
    let end = i
    while (end < sorted.length && version[sorted[end]!] === of) end++
    out.uvarint(of)
    out.uvarint(end - i)
    for (let previous = 0; i < end; i++) {
      const position = index[sorted[i]!]!
      out.uvarint(position - previous)
      previous = position
    }
  }
  return out.slice(0)
}

/** Ascending by version, then position. */
export function sortedByRef({ version, index }: NodeArena, nodes: readonly number[]): Uint32Array {
  const newest = nodes.reduce((highest, node) => Math.max(highest, version[node]!), 0)
  const most = nodes.reduce((highest, node) => Math.max(highest, index[node]!), 0)
  const shift = 2 ** Math.ceil(Math.log2(nodes.length + 1))
  const span = most + 1
  if ((newest + 1) * span * shift > Number.MAX_SAFE_INTEGER) {
    return Uint32Array.from(nodes).sort((a, b) => version[a]! - version[b]! || index[a]! - index[b]!)
  }
  // Sorting numbers without a comparator is several times faster.
  const keyed = Float64Array.from(
    nodes,
    (node, i) => (version[node]! * span + index[node]!) * shift + i,
  ).sort()
  return Uint32Array.from(keyed, (key) => nodes[key % shift]!)
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

import { crc32 } from 'node:zlib'
import { inconsistent } from '../store-error.ts'
import type { KeySlab } from '../tree/key-slab.ts'
import { HASH_BYTES, type NodeArena, UNWRITTEN } from '../tree/node-arena.ts'
import { ByteReader, type ByteWriter } from './byte-writer.ts'

/** Nodes to a database entry. */
export const CHUNK_NODES = 64

/** Where a node is stored: the version that made it and its position among that version's nodes. */
export interface NodeRef {
  readonly version: number
  readonly index: number
}

/** A node as stored. Views into the chunk's bytes. */
export interface StoredNode extends NodeRef {
  /** 0 is a leaf. */
  readonly height: number
  readonly size: number
  readonly key: Uint8Array
  readonly hash: Uint8Array
  /** Leaves only. */
  readonly value: Uint8Array | undefined
  /** Inner nodes only, as the right one. */
  readonly left: NodeRef | undefined
  readonly right: NodeRef | undefined
}

/**
 * Gives the fresh nodes of a tree their positions: ascending by height, and by key within a height. Nodes of one height
 * live about equally long, so that whole chunks die together. Throws StoreError `inconsistent` for a node that has one.
 */
export function assignPositions(arena: NodeArena, fresh: readonly number[]): Uint32Array {
  const starts = new Uint32Array(257)
  for (const node of fresh) starts[arena.height(node) + 1]!++
  for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
  const ordered = new Uint32Array(fresh.length)
  for (const node of fresh) {
    if (arena.index(node) !== UNWRITTEN) throw inconsistent(`node ${node} is written twice`)
    const position = starts[arena.height(node)]!++
    ordered[position] = node
    arena.setIndex(node, position)
  }
  return ordered
}

/**
 * One chunk: node count (1 byte), end offset of each record (4 bytes each, little-endian, from the first record),
 * the records, CRC-32 of all before. Appended to `out`; the chunk's bytes are returned.
 *
 * Record: height (1 byte), key length, key, hash; leaf: the value; inner: size, then for left and right
 * `version - child's version` and position. Integers are varints.
 */
export function encodeChunk(
  out: ByteWriter,
  arena: NodeArena,
  keys: KeySlab,
  nodes: Uint32Array,
  values: ReadonlyMap<number, Uint8Array>,
): Buffer {
  const start = out.length
  const table = start + 1
  const records = table + nodes.length * 4
  out.reserve(1 + nodes.length * 4)
  out.bytes[start] = nodes.length
  out.length = records
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!
    const slot = arena.key(node)
    const keyStart = keys.offsetOf(slot)
    const keyLength = keys.lengthOf(slot)
    const version = arena.version(node)
    out.byte(arena.height(node))
    out.uvarint(keyLength)
    out.copy(keys.buffer, keyStart, keyStart + keyLength)
    const hash = arena.hashOffset(node)
    out.copy(arena.hashes, hash, hash + HASH_BYTES)
    if (arena.height(node) === 0) {
      out.append(values.get(node)!)
    } else {
      out.uvarint(arena.size(node))
      putRef(out, arena, version, arena.left(node))
      putRef(out, arena, version, arena.right(node))
    }
    out.bytes.writeUInt32LE(out.length - records, table + i * 4)
  }
  out.reserve(4)
  out.bytes.writeUInt32LE(crc32(out.slice(start)), out.length)
  out.length += 4
  return out.slice(start)
}

function putRef(out: ByteWriter, arena: NodeArena, parentVersion: number, child: number): void {
  const age = parentVersion - arena.version(child)
  const index = arena.index(child)
  if (age < 0 || index === UNWRITTEN)
    throw inconsistent(`node ${child} is younger than its parent, or unwritten`)
  out.uvarint(age)
  out.uvarint(index)
}

/** A checked chunk. */
export class NodeChunk {
  readonly bytes: Buffer
  readonly count: number
  readonly #version: number
  readonly #first: number

  /** Throws RangeError where `bytes` are not whole. */
  constructor(bytes: Buffer, version: number, chunk: number) {
    const body = bytes.length - 4
    if (body < 1 || crc32(bytes.subarray(0, body)) !== bytes.readUInt32LE(body)) {
      throw new RangeError('checksum mismatch')
    }
    this.bytes = bytes
    this.count = bytes[0]!
    this.#version = version
    this.#first = chunk * CHUNK_NODES
  }

  /** Throws RangeError where the chunk has no such node. */
  node(index: number): StoredNode {
    const version = this.#version
    const position = index - this.#first
    if (position < 0 || position >= this.count) throw new RangeError(`no node ${index}`)
    const reader = new ByteReader(this.record(position))
    const height = reader.byte()
    const key = reader.take(reader.uvarint())
    const hash = reader.take(HASH_BYTES)
    if (height === 0) {
      const value = reader.take(reader.end - reader.offset)
      return { version, index, height, size: 1, key, hash, value, left: undefined, right: undefined }
    }
    const size = reader.uvarint()
    const left = { version: version - reader.uvarint(), index: reader.uvarint() }
    const right = { version: version - reader.uvarint(), index: reader.uvarint() }
    return { version, index, height, size, key, hash, value: undefined, left, right }
  }

  /** The bytes of the record at `position`, below `count`; none for a node that was dead when the chunk was rewritten. */
  record(position: number): Buffer {
    const { bytes } = this
    const records = 1 + this.count * 4
    const from = position === 0 ? 0 : bytes.readUInt32LE(1 + (position - 1) * 4)
    return bytes.subarray(records + from, records + bytes.readUInt32LE(1 + position * 4))
  }
}

/** The chunk with its dead nodes' records emptied; positions stay. Throws RangeError where `bytes` are not whole. */
export function withoutDead(bytes: Uint8Array, dead: { has(position: number): boolean }): Buffer {
  const chunk = new NodeChunk(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), 0, 0)
  const table = 1 + chunk.count * 4
  const parts: Buffer[] = [Buffer.alloc(table)]
  parts[0]![0] = chunk.count
  let end = 0
  for (let position = 0; position < chunk.count; position++) {
    if (!dead.has(position)) {
      const record = chunk.record(position)
      parts.push(record)
      end += record.length
    }
    parts[0]!.writeUInt32LE(end, 1 + position * 4)
  }
  const out = Buffer.concat([...parts, Buffer.alloc(4)])
  out.writeUInt32LE(crc32(out.subarray(0, out.length - 4)), out.length - 4)
  return out
}

import { type KeySlab, MAX_KEY_BYTES } from './key-slab.ts'
import { HASH_BYTES, type NodeArena } from './node-arena.ts'
import { sha256Latin1 } from './sha256.ts'

const scratch = Buffer.allocUnsafeSlow(MAX_KEY_BYTES + 128)
const views: Buffer[] = []

function scratchView(length: number): Buffer {
  if (length > 256) return scratch.subarray(0, length)
  return (views[length] ??= scratch.subarray(0, length))
}

/** Go's zig-zag varint of an integer in [0, 2^52). */
function putVarint(offset: number, value: number): number {
  let rest = value * 2
  let at = offset
  while (rest >= 0x80000000) {
    scratch[at++] = (rest % 128) | 0x80
    rest = Math.floor(rest / 128)
  }
  while (rest >= 0x80) {
    scratch[at++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  scratch[at++] = rest
  return at
}

function putUvarint(offset: number, value: number): number {
  let rest = value
  let at = offset
  while (rest >= 0x80) {
    scratch[at++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  scratch[at++] = rest
  return at
}

function putHeader(height: number, size: number, version: number): number {
  return putVarint(putVarint(putVarint(0, height), size), version)
}

function putHash(offset: number, arena: NodeArena, node: number): number {
  const { hashes } = arena
  const start = arena.hashOffset(node)
  scratch[offset] = HASH_BYTES
  for (let i = 0; i < HASH_BYTES; i++) scratch[offset + 1 + i] = hashes[start + i]!
  return offset + 1 + HASH_BYTES
}

/** The bytes IAVL hashes before a node's body: height, size and version as zig-zag varints. */
export function nodeHeader(height: number, size: number, version: number): Uint8Array {
  return new Uint8Array(scratch.subarray(0, putHeader(height, size, version)))
}

/** cosmos/iavl v1: sha256(header, len(key), key, 0x20, sha256(value)), as latin-1. */
export function leafHash(
  version: number,
  key: Uint8Array,
  start: number,
  end: number,
  value: Uint8Array,
): string {
  const valueHash = sha256Latin1(value)
  let at = putUvarint(putHeader(0, 1, version), end - start)
  for (let i = start; i < end; i++) scratch[at++] = key[i]!
  scratch[at] = HASH_BYTES
  scratch.write(valueHash, at + 1, 'latin1')
  return sha256Latin1(scratchView(at + 1 + HASH_BYTES))
}

/** cosmos/iavl v1: sha256(header, 0x20, left hash, 0x20, right hash), as latin-1. */
export function innerHash(arena: NodeArena, node: number): string {
  const header = putHeader(arena.height(node), arena.size(node), arena.version(node))
  const end = putHash(putHash(header, arena, arena.left(node)), arena, arena.right(node))
  return sha256Latin1(scratchView(end))
}

export function arenaLeafHash(arena: NodeArena, keys: KeySlab, leaf: number, value: Uint8Array): string {
  const slot = arena.key(leaf)
  const start = keys.offsetOf(slot)
  return leafHash(arena.version(leaf), keys.buffer, start, start + keys.lengthOf(slot), value)
}

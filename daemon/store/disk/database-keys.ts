/**
 * Every namespace of the database. The first byte is for ever.
 *
 * | key | value |
 * |---|---|
 * | `m` name | format, latest height, store ids, earliest height |
 * | `l` key | the node's local namespace, outside the hashed trees |
 * | `s` store key | flat current state |
 * | `n` store version chunk | 64 tree nodes (node-chunk.ts) |
 * | `v` height | version record: app hash and tree roots (version-record.ts) |
 * | `o` height store | nodes of earlier versions that this one no longer holds (orphan-list.ts) |
 * | `d` store version chunk | which of the chunk's nodes are dead: 8-byte mask |
 *
 * store: 2 bytes, version and height: 8, chunk: 4, all big-endian.
 */
const PREFIX = {
  meta: 0x6d,
  local: 0x6c,
  state: 0x73,
  node: 0x6e,
  version: 0x76,
  orphans: 0x6f,
  dead: 0x64,
} as const

export const META_FORMAT = metaKey('format')
export const META_LATEST = metaKey('latest')
export const META_STORES = metaKey('stores')
export const META_EARLIEST = metaKey('earliest')

function metaKey(name: string): Buffer {
  return Buffer.from(`m${name}`, 'latin1')
}

export function localKey(key: Uint8Array): Buffer {
  const out = Buffer.allocUnsafe(1 + key.length)
  out[0] = PREFIX.local
  out.set(key, 1)
  return out
}

export function stateKey(store: number, key: Uint8Array): Buffer {
  const out = Buffer.allocUnsafe(3 + key.length)
  out[0] = PREFIX.state
  out.writeUInt16BE(store, 1)
  out.set(key, 3)
  return out
}

export function chunkKey(store: number, version: number, chunk: number): Buffer {
  return chunkWise(PREFIX.node, store, version, chunk)
}

export function deadKey(store: number, version: number, chunk: number): Buffer {
  return chunkWise(PREFIX.dead, store, version, chunk)
}

export function versionKey(height: number): Buffer {
  const out = Buffer.allocUnsafe(9)
  out[0] = PREFIX.version
  putHeight(out, 1, height)
  return out
}

export function orphansKey(height: number, store: number): Buffer {
  const out = Buffer.allocUnsafe(11)
  out[0] = PREFIX.orphans
  putHeight(out, 1, height)
  out.writeUInt16BE(store, 9)
  return out
}

export function heightBytes(height: number): Buffer {
  const out = Buffer.allocUnsafe(8)
  putHeight(out, 0, height)
  return out
}

/** Throws RangeError where `bytes` is not an 8-byte height. */
export function heightOf(bytes: Uint8Array, offset = 0): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const height = view.getUint32(offset) * 2 ** 32 + view.getUint32(offset + 4)
  if (height > Number.MAX_SAFE_INTEGER) throw new RangeError('a height beyond 2^53')
  return height
}

function chunkWise(prefix: number, store: number, version: number, chunk: number): Buffer {
  const out = Buffer.allocUnsafe(15)
  out[0] = prefix
  out.writeUInt16BE(store, 1)
  putHeight(out, 3, version)
  out.writeUInt32BE(chunk, 11)
  return out
}

function putHeight(out: Buffer, offset: number, height: number): void {
  out.writeUInt32BE(Math.floor(height / 2 ** 32), offset)
  out.writeUInt32BE(height % 2 ** 32, offset + 4)
}

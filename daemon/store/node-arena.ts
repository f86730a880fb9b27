/** No node. */
export const NIL = 0
/** The disk index of a node that has not been written yet. */
export const UNWRITTEN = 0xffffffff
export const HASH_BYTES = 32

/**
 * The nodes of one tree as parallel arrays outside the garbage collector's heap, about 61 bytes a node. A node is an
 * index into them; 0 is NIL.
 */
export class NodeArena {
  left: Uint32Array
  right: Uint32Array
  /** 0 is a leaf. */
  height: Uint8Array
  /** Leaves below. */
  size: Uint32Array
  /** The block height at which the node was made. */
  version: Float64Array
  /** Position among the nodes written with `version`, or UNWRITTEN. */
  index: Uint32Array
  /** KeySlab slot: a leaf's key, or for an inner node the smallest key of its right subtree. */
  key: Uint32Array
  hash: Buffer
  private top = 1
  private readonly free: number[] = []

  constructor(capacity = 64) {
    this.left = new Uint32Array(capacity)
    this.right = new Uint32Array(capacity)
    this.height = new Uint8Array(capacity)
    this.size = new Uint32Array(capacity)
    this.version = new Float64Array(capacity)
    this.index = new Uint32Array(capacity)
    this.key = new Uint32Array(capacity)
    this.hash = Buffer.alloc(capacity * HASH_BYTES)
  }

  allocate(): number {
    const reused = this.free.pop()
    if (reused !== undefined) return reused
    if (this.top === this.left.length)
      this.resize(this.top < 1 << 20 ? this.top * 2 : this.top + (this.top >>> 1))
    return this.top++
  }

  release(node: number): void {
    this.free.push(node)
  }

  hashOf(node: number): Uint8Array {
    return new Uint8Array(this.hash.subarray(node * HASH_BYTES, (node + 1) * HASH_BYTES))
  }

  /** Makes room for `count` nodes in one step. */
  reserve(count: number): void {
    if (count > this.left.length) this.resize(count)
  }

  get bytes(): number {
    return this.left.length * (4 + 4 + 1 + 4 + 8 + 4 + 4 + HASH_BYTES)
  }

  private resize(capacity: number): void {
    this.left = widened(this.left, new Uint32Array(capacity))
    this.right = widened(this.right, new Uint32Array(capacity))
    this.height = widened(this.height, new Uint8Array(capacity))
    this.size = widened(this.size, new Uint32Array(capacity))
    this.version = widened(this.version, new Float64Array(capacity))
    this.index = widened(this.index, new Uint32Array(capacity))
    this.key = widened(this.key, new Uint32Array(capacity))
    this.hash = widened(this.hash, Buffer.alloc(capacity * HASH_BYTES))
  }
}

function widened<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from)
  return to
}

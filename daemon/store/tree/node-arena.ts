import { inconsistent } from '../store-error.ts'

/** No node. */
export const NIL = 0
/** The disk index of a node that has not been written yet. */
export const UNWRITTEN = 0xffffffff
export const HASH_BYTES = 32

const WORDS = 16
const BYTES = WORDS * 4
const LEFT = 0
const RIGHT = 1
const KEY = 2
const INDEX = 3
const VERSION_LOW = 4
const VERSION_HIGH = 5
const SIZE = 6
const HEIGHT = 7
const HASH = 8

/**
 * The nodes of one tree outside the garbage collector's heap. A node is a number, its record 64 bytes: one line of the
 * processor's cache, since a commit touches nodes all over a tree that is much larger than the cache. Holds up to 2^27
 * nodes. A record that is not in use has size 0, a node at least 1: so a node released twice is told before it is given
 * out twice, which would show only as a wrong app hash.
 */
export class NodeArena {
  /** Hashes lie in here, at `hashOffset`. Holds until the next allocation. */
  hashes: Buffer
  #words: Uint32Array
  #top = 1
  readonly #free: number[] = []

  constructor(capacity = 64) {
    this.#words = new Uint32Array(capacity * WORDS)
    this.hashes = Buffer.from(this.#words.buffer)
  }

  /** Size 1, all else undefined. Throws StoreError `inconsistent` where a free record has been written to. */
  allocate(): number {
    const node = this.#free.pop() ?? this.#extend()
    const at = node * WORDS + SIZE
    if (this.#words[at] !== 0) throw inconsistent(`node ${node} was written to after it was released`)
    this.#words[at] = 1
    return node
  }

  /** Throws StoreError `inconsistent` where `node` is not in use. */
  release(node: number): void {
    const at = node * WORDS + SIZE
    if (!this.#words[at]) throw inconsistent(`node ${node} is released, but is not in use`)
    this.#words[at] = 0
    this.#free.push(node)
  }

  left(node: number): number {
    return this.#words[node * WORDS + LEFT]!
  }

  setLeft(node: number, left: number): void {
    this.#words[node * WORDS + LEFT] = left
  }

  right(node: number): number {
    return this.#words[node * WORDS + RIGHT]!
  }

  setRight(node: number, right: number): void {
    this.#words[node * WORDS + RIGHT] = right
  }

  /** KeySlab slot: a leaf's key, or for an inner node the smallest key of its right subtree. */
  key(node: number): number {
    return this.#words[node * WORDS + KEY]!
  }

  setKey(node: number, slot: number): void {
    this.#words[node * WORDS + KEY] = slot
  }

  /** Position among the nodes written with `version`, or UNWRITTEN. */
  index(node: number): number {
    return this.#words[node * WORDS + INDEX]!
  }

  setIndex(node: number, index: number): void {
    this.#words[node * WORDS + INDEX] = index
  }

  /** The block height at which the node was made. */
  version(node: number): number {
    const at = node * WORDS
    return this.#words[at + VERSION_HIGH]! * 2 ** 32 + this.#words[at + VERSION_LOW]!
  }

  setVersion(node: number, version: number): void {
    const at = node * WORDS
    this.#words[at + VERSION_LOW] = version % 2 ** 32
    this.#words[at + VERSION_HIGH] = Math.floor(version / 2 ** 32)
  }

  /** Leaves below. */
  size(node: number): number {
    return this.#words[node * WORDS + SIZE]!
  }

  setSize(node: number, size: number): void {
    this.#words[node * WORDS + SIZE] = size
  }

  /** 0 is a leaf. */
  height(node: number): number {
    return this.#words[node * WORDS + HEIGHT]!
  }

  setHeight(node: number, height: number): void {
    this.#words[node * WORDS + HEIGHT] = height
  }

  /** Where in `hashes` the node's 32 bytes begin. */
  hashOffset(node: number): number {
    return node * BYTES + HASH * 4
  }

  setHashLatin1(node: number, digest: string): void {
    this.hashes.write(digest, this.hashOffset(node), 'latin1')
  }

  setHash(node: number, hash: Uint8Array): void {
    this.hashes.set(hash, this.hashOffset(node))
  }

  /** A copy. */
  hash(node: number): Uint8Array {
    const start = this.hashOffset(node)
    return new Uint8Array(this.hashes.subarray(start, start + HASH_BYTES))
  }

  hashIs(node: number, digest: string): boolean {
    const start = this.hashOffset(node)
    for (let i = 0; i < HASH_BYTES; i++) if (this.hashes[start + i] !== digest.charCodeAt(i)) return false
    return true
  }

  /** Everything but index, version and hash. */
  copyShape(from: number, to: number): void {
    const words = this.#words
    const [source, target] = [from * WORDS, to * WORDS]
    words[target + LEFT] = words[source + LEFT]!
    words[target + RIGHT] = words[source + RIGHT]!
    words[target + KEY] = words[source + KEY]!
    words[target + SIZE] = words[source + SIZE]!
    words[target + HEIGHT] = words[source + HEIGHT]!
  }

  get bytes(): number {
    return this.#words.length * 4
  }

  #extend(): number {
    const capacity = this.#words.length / WORDS
    if (this.#top === capacity) this.#resize(capacity < 1 << 20 ? capacity * 2 : capacity + (capacity >>> 1))
    return this.#top++
  }

  #resize(capacity: number): void {
    const words = new Uint32Array(capacity * WORDS)
    words.set(this.#words)
    this.#words = words
    this.hashes = Buffer.from(words.buffer)
  }
}

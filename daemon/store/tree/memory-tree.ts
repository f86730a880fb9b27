import type { Write } from '../../../core/state-reader.ts'
import { inconsistent } from '../store-error.ts'
import { KeySlab } from './key-slab.ts'
import { NIL, NodeArena, UNWRITTEN } from './node-arena.ts'
import { arenaLeafHash, innerHash } from './node-hash.ts'

const NO_KEY = 0

/** The changes of one block to a tree, until it is committed or discarded. */
export interface StagedTree {
  root: number
  /** Nodes made, dropped ones included. */
  readonly allocated: number[]
  /** Nodes made and no longer reachable. */
  readonly dropped: number[]
  /** Committed nodes that the new root does not reach. */
  readonly orphans: number[]
  readonly leafValues: Map<number, Uint8Array>
  readonly newKeys: number[]
  readonly removedKeys: number[]
  /** Reachable new nodes, children before parents, left before right. */
  readonly fresh: number[]
}

/**
 * The latest version of one IAVL tree in memory, without values. Sets, removals and rotations are those of cosmos/iavl
 * v1, so that every root hash is the same. A block's writes copy what they touch: the committed root stays readable
 * until `settle`.
 */
export class MemoryTree {
  readonly arena: NodeArena
  readonly keys = new KeySlab()
  root = NIL
  #staged: StagedTree = emptyStage(NIL)
  #replacementKey = NO_KEY

  constructor(capacity?: number) {
    this.arena = new NodeArena(capacity)
  }

  get leaves(): number {
    return this.root === NIL ? 0 : this.arena.size(this.root)
  }

  /** Outside the garbage collector's heap. */
  get bytes(): number {
    return this.arena.bytes + this.keys.buffer.length
  }

  /** The leaf of `key` under `root`, or NIL. */
  find(root: number, key: Uint8Array): number {
    const { arena, keys } = this
    if (root === NIL) return NIL
    let node = root
    while (arena.height(node) > 0) {
      node = keys.compare(key, arena.key(node)) < 0 ? arena.left(node) : arena.right(node)
    }
    return keys.compare(key, arena.key(node)) === 0 ? node : NIL
  }

  /** How many leaves of the committed tree are below `key`. */
  rank(key: Uint8Array): number {
    const { arena, keys } = this
    if (this.root === NIL) return 0
    let below = 0
    let node = this.root
    while (arena.height(node) > 0) {
      const isLeft = keys.compare(key, arena.key(node)) < 0
      if (!isLeft) below += arena.size(arena.left(node))
      node = isLeft ? arena.left(node) : arena.right(node)
    }
    return keys.compare(key, arena.key(node)) > 0 ? below + 1 : below
  }

  /** The key of the committed tree's leaf with so many below it. */
  keyAt(rank: number): Uint8Array | undefined {
    const { arena, keys } = this
    if (rank < 0 || rank >= this.leaves) return undefined
    let below = rank
    let node = this.root
    while (arena.height(node) > 0) {
      const inLeft = arena.size(arena.left(node))
      const isLeft = below < inLeft
      if (!isLeft) below -= inLeft
      node = isLeft ? arena.left(node) : arena.right(node)
    }
    return keys.read(arena.key(node))
  }

  /** Applies `writes`, ascending by key, on top of the committed root and hashes the new nodes with `version`. */
  stage(version: number, writes: readonly Write[]): StagedTree {
    this.#staged = emptyStage(this.root)
    const staged = this.#staged
    for (const [key, value] of writes) {
      if (value === null) this.#remove(key)
      else staged.root = staged.root === NIL ? this.#newLeaf(key, value) : this.#set(staged.root, key, value)
    }
    this.#hashFresh(staged.root, version)
    return staged
  }

  /** Frees what a staged tree has made. Throws StoreError `inconsistent` unless it is the one staged last. */
  discard(staged: StagedTree): void {
    this.#endStage(staged)
    for (const node of staged.allocated) this.arena.release(node)
    for (const slot of staged.newKeys) this.keys.release(slot)
  }

  /**
   * Makes a staged tree the committed one and frees what only the former one held. Throws StoreError `inconsistent`
   * unless it is the one staged last and has its positions on disk: without them the next block would change it in place.
   */
  settle(staged: StagedTree): void {
    if (staged.root !== NIL && this.arena.index(staged.root) === UNWRITTEN) {
      throw inconsistent('a staged tree is settled before it was written')
    }
    this.#endStage(staged)
    this.root = staged.root
    for (const node of staged.dropped) this.arena.release(node)
    for (const node of staged.orphans) this.arena.release(node)
    for (const slot of staged.removedKeys) this.keys.release(slot)
  }

  rootHash(root: number): Uint8Array | undefined {
    return root === NIL ? undefined : this.arena.hash(root)
  }

  #endStage(staged: StagedTree): void {
    if (staged !== this.#staged) throw inconsistent('a staged tree is ended twice, late or in another tree')
    this.#staged = emptyStage(NIL)
  }

  #newNode(): number {
    const node = this.arena.allocate()
    this.arena.setIndex(node, UNWRITTEN)
    this.#staged.allocated.push(node)
    return node
  }

  #newLeafAt(slot: number, value: Uint8Array): number {
    const { arena } = this
    const leaf = this.#newNode()
    arena.setLeft(leaf, NIL)
    arena.setRight(leaf, NIL)
    arena.setHeight(leaf, 0)
    arena.setSize(leaf, 1)
    arena.setKey(leaf, slot)
    this.#staged.leafValues.set(leaf, value)
    return leaf
  }

  #newLeaf(key: Uint8Array, value: Uint8Array): number {
    const slot = this.keys.allocate(key)
    this.#staged.newKeys.push(slot)
    return this.#newLeafAt(slot, value)
  }

  #newParent(left: number, right: number): number {
    const { arena } = this
    const node = this.#newNode()
    arena.setLeft(node, left)
    arena.setRight(node, right)
    arena.setHeight(node, 1)
    arena.setSize(node, 2)
    arena.setKey(node, arena.key(right))
    return node
  }

  #writable(node: number): number {
    const { arena } = this
    if (arena.index(node) === UNWRITTEN) return node
    const copy = this.#newNode()
    arena.copyShape(node, copy)
    this.#staged.orphans.push(node)
    return copy
  }

  #leave(node: number): void {
    if (this.arena.index(node) === UNWRITTEN) this.#staged.dropped.push(node)
    else this.#staged.orphans.push(node)
  }

  #set(node: number, key: Uint8Array, value: Uint8Array): number {
    const { arena } = this
    const order = this.keys.compare(key, arena.key(node))
    if (arena.height(node) === 0) {
      if (order < 0) return this.#newParent(this.#newLeaf(key, value), node)
      if (order > 0) return this.#newParent(node, this.#newLeaf(key, value))
      this.#leave(node)
      return this.#newLeafAt(arena.key(node), value)
    }
    const copy = this.#writable(node)
    if (order < 0) arena.setLeft(copy, this.#set(arena.left(copy), key, value))
    else arena.setRight(copy, this.#set(arena.right(copy), key, value))
    this.#measure(copy)
    return this.#balanced(copy)
  }

  #remove(key: Uint8Array): void {
    const staged = this.#staged
    if (this.find(staged.root, key) === NIL) return
    staged.root = this.#removeFrom(staged.root, key)
    this.#replacementKey = NO_KEY
  }

  /** `key` must be below `node`. Sets `replacementKey` where the removed leaf was the leftmost one below `node`. */
  #removeFrom(node: number, key: Uint8Array): number {
    const { arena } = this
    if (arena.height(node) === 0) {
      this.#leave(node)
      this.#staged.removedKeys.push(arena.key(node))
      this.#replacementKey = NO_KEY
      return NIL
    }
    if (this.keys.compare(key, arena.key(node)) < 0) {
      const left = this.#removeFrom(arena.left(node), key)
      if (left === NIL) {
        this.#replacementKey = arena.key(node)
        this.#leave(node)
        return arena.right(node)
      }
      const copy = this.#writable(node)
      arena.setLeft(copy, left)
      this.#measure(copy)
      return this.#balanced(copy)
    }
    const right = this.#removeFrom(arena.right(node), key)
    if (right === NIL) {
      this.#leave(node)
      return arena.left(node)
    }
    const copy = this.#writable(node)
    arena.setRight(copy, right)
    if (this.#replacementKey !== NO_KEY) {
      arena.setKey(copy, this.#replacementKey)
      this.#replacementKey = NO_KEY
    }
    this.#measure(copy)
    return this.#balanced(copy)
  }

  #measure(node: number): void {
    const { arena } = this
    const left = arena.left(node)
    const right = arena.right(node)
    arena.setHeight(node, Math.max(arena.height(left), arena.height(right)) + 1)
    arena.setSize(node, arena.size(left) + arena.size(right))
  }

  #tilt(node: number): number {
    const { arena } = this
    return arena.height(arena.left(node)) - arena.height(arena.right(node))
  }

  #balanced(node: number): number {
    const { arena } = this
    const tilt = this.#tilt(node)
    if (tilt > 1) {
      if (this.#tilt(arena.left(node)) < 0) arena.setLeft(node, this.#rotatedLeft(arena.left(node)))
      return this.#rotatedRight(node)
    }
    if (tilt < -1) {
      if (this.#tilt(arena.right(node)) > 0) arena.setRight(node, this.#rotatedRight(arena.right(node)))
      return this.#rotatedLeft(node)
    }
    return node
  }

  #rotatedRight(from: number): number {
    const { arena } = this
    const node = this.#writable(from)
    const top = this.#writable(arena.left(node))
    arena.setLeft(node, arena.right(top))
    arena.setRight(top, node)
    this.#measure(node)
    this.#measure(top)
    return top
  }

  #rotatedLeft(from: number): number {
    const { arena } = this
    const node = this.#writable(from)
    const top = this.#writable(arena.right(node))
    arena.setRight(node, arena.left(top))
    arena.setLeft(top, node)
    this.#measure(node)
    this.#measure(top)
    return top
  }

  #hashFresh(node: number, version: number): void {
    const { arena } = this
    const staged = this.#staged
    if (node === NIL || arena.index(node) !== UNWRITTEN) return
    arena.setVersion(node, version)
    let digest: string
    if (arena.height(node) === 0) {
      digest = arenaLeafHash(arena, this.keys, node, staged.leafValues.get(node)!)
    } else {
      this.#hashFresh(arena.left(node), version)
      this.#hashFresh(arena.right(node), version)
      digest = innerHash(arena, node)
    }
    arena.setHashLatin1(node, digest)
    staged.fresh.push(node)
  }
}

function emptyStage(root: number): StagedTree {
  return {
    root,
    allocated: [],
    dropped: [],
    orphans: [],
    leafValues: new Map(),
    newKeys: [],
    removedKeys: [],
    fresh: [],
  }
}

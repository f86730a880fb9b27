import { compareBytes } from '../../../core/bytes.ts'
import type { ChunkSource } from '../disk/chunk-source.ts'
import type { NodeRef, StoredNode } from '../disk/node-chunk.ts'

/** A step from an inner node down to one of its children. */
export interface TreeStep {
  readonly node: StoredNode
  readonly wentLeft: boolean
}

/** The steps from the root to a leaf. */
export interface LeafPath {
  readonly steps: readonly TreeStep[]
  readonly leaf: StoredNode
}

/** One kept version of one tree, read from its stored nodes. */
export class StoredTree {
  readonly #source: ChunkSource
  readonly #store: number
  readonly #root: NodeRef | undefined

  constructor(source: ChunkSource, store: number, root: NodeRef | undefined) {
    this.#source = source
    this.#store = store
    this.#root = root
  }

  node(ref: NodeRef): StoredNode {
    return this.#source.node(this.#store, ref)
  }

  /** The leaf where the search for `key` ends: `key`'s, or its neighbour's. Undefined for an empty tree. */
  search(key: Uint8Array): LeafPath | undefined {
    if (!this.#root) return undefined
    const steps: TreeStep[] = []
    let node = this.node(this.#root)
    while (node.height > 0) {
      const wentLeft = compareBytes(key, node.key) < 0
      steps.push({ node, wentLeft })
      node = this.node((wentLeft ? node.left : node.right)!)
    }
    return { steps, leaf: node }
  }

  get(key: Uint8Array): Uint8Array | undefined {
    const found = this.search(key)
    return found && compareBytes(found.leaf.key, key) === 0 ? new Uint8Array(found.leaf.value!) : undefined
  }

  /** How many leaves are below `key`; how many there are, without one. */
  rank(key?: Uint8Array): number {
    if (!this.#root) return 0
    let node = this.node(this.#root)
    if (key === undefined) return node.size
    let below = 0
    while (node.height > 0) {
      const isLeft = compareBytes(key, node.key) < 0
      if (!isLeft) below += this.node(node.left!).size
      node = this.node((isLeft ? node.left : node.right)!)
    }
    return compareBytes(key, node.key) > 0 ? below + 1 : below
  }

  /** The key of the leaf with so many below it. */
  keyAt(rank: number): Uint8Array | undefined {
    if (!this.#root) return undefined
    let node = this.node(this.#root)
    if (rank < 0 || rank >= node.size) return undefined
    let below = rank
    while (node.height > 0) {
      const left = this.node(node.left!)
      if (below < left.size) node = left
      else {
        below -= left.size
        node = this.node(node.right!)
      }
    }
    return new Uint8Array(node.key)
  }

  /** The leaf after or before one, by key. */
  neighbour(path: LeafPath, after: boolean): LeafPath | undefined {
    const steps = [...path.steps]
    for (let last = steps.pop(); last; last = steps.pop()) {
      if (last.wentLeft !== after) continue
      steps.push({ node: last.node, wentLeft: !after })
      let node = this.node((after ? last.node.right : last.node.left)!)
      while (node.height > 0) {
        steps.push({ node, wentLeft: after })
        node = this.node((after ? node.left : node.right)!)
      }
      return { steps, leaf: node }
    }
    return undefined
  }

  /** As `StateReader.entries`; `start` is left out with `afterStart`. */
  *entries(
    start: Uint8Array,
    end: Uint8Array | undefined,
    reverse: boolean,
    afterStart = false,
  ): IterableIterator<readonly [Uint8Array, Uint8Array]> {
    if (!this.#root) return
    const first = (key: Uint8Array): boolean => compareBytes(key, start) >= (afterStart ? 1 : 0)
    const last = (key: Uint8Array): boolean => end === undefined || compareBytes(key, end) < 0
    const pending: NodeRef[] = [this.#root]
    for (let ref = pending.pop(); ref; ref = pending.pop()) {
      const node = this.node(ref)
      if (node.height === 0) {
        if (first(node.key) && last(node.key)) yield [new Uint8Array(node.key), new Uint8Array(node.value!)]
        continue
      }
      const left = compareBytes(start, node.key) < 0
      const right = last(node.key)
      if (reverse) {
        if (left) pending.push(node.left!)
        if (right) pending.push(node.right!)
      } else {
        if (right) pending.push(node.right!)
        if (left) pending.push(node.left!)
      }
    }
  }
}

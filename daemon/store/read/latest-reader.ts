import { compareBytes } from '../../../core/bytes.ts'
import { isDerived } from '../../../core/derived.ts'
import type { StateReader } from '../../../core/state-reader.ts'
import type { State } from '../state.ts'
import type { MemoryTree } from '../tree/memory-tree.ts'
import { NIL } from '../tree/node-arena.ts'
import type { History } from './history.ts'

/** The leaves of an in-memory tree with `start <= key < end`, in order. Valid while `root` is not freed. */
export function* leavesBetween(
  tree: MemoryTree,
  root: number,
  start: Uint8Array,
  end: Uint8Array | undefined,
  reverse: boolean,
): IterableIterator<number> {
  const { arena, keys } = tree
  if (root === NIL) return
  const pending = [root]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const slot = arena.key(node)
    if (arena.height(node) === 0) {
      if (keys.compare(start, slot) <= 0 && (end === undefined || keys.compare(end, slot) > 0)) yield node
      continue
    }
    const left = keys.compare(start, slot) < 0
    const right = end === undefined || keys.compare(end, slot) > 0
    const [leftChild, rightChild] = [arena.left(node), arena.right(node)]
    if (reverse) {
      if (left) pending.push(leftChild)
      if (right) pending.push(rightChild)
    } else {
      if (right) pending.push(rightChild)
      if (left) pending.push(leftChild)
    }
  }
}

/** What every block walks over (a validator set, a queue's head) is this short; longer walks read each key once. */
const SHORT_WALK = 256

/**
 * The version that was the latest when this reader was made. Once a later one is committed it reads from history, and
 * throws StoreError `height_not_kept` when that is pruned; an iterator does the same from the key it has reached.
 */
export class LatestReader implements StateReader {
  readonly #state: State
  readonly #history: History
  readonly #height: number

  constructor(state: State, history: History) {
    this.#state = state
    this.#history = history
    this.#height = state.height
  }

  get(store: string, key: Uint8Array): Uint8Array | undefined {
    if (isDerived(store)) return undefined
    if (this.#isLatest()) return this.#state.value(store, key)
    return this.#height === 0 ? undefined : this.#history.at(this.#height).get(store, key)
  }

  /** Answered from the tree in memory. */
  has(store: string, key: Uint8Array): boolean {
    if (isDerived(store)) return false
    if (this.#isLatest()) return this.#state.store(store).holds(key)
    return this.#height !== 0 && this.#history.at(this.#height).has(store, key)
  }

  rank(store: string, key?: Uint8Array): number {
    if (!this.#isLatest()) return this.#height === 0 ? 0 : this.#history.at(this.#height).rank(store, key)
    const tree = this.#state.store(store).tree
    return key === undefined ? tree.leaves : tree.rank(key)
  }

  keyAt(store: string, rank: number): Uint8Array | undefined {
    if (this.#isLatest()) return this.#state.store(store).tree.keyAt(rank)
    return this.#height === 0 ? undefined : this.#history.at(this.#height).keyAt(store, rank)
  }

  entries(
    store: string,
    start: Uint8Array,
    end: Uint8Array | undefined,
    reverse = false,
  ): IterableIterator<readonly [Uint8Array, Uint8Array]> {
    if (isDerived(store)) return [][Symbol.iterator]()
    const tree = this.#state.store(store).tree
    return this.#walk(store, tree, start, end, reverse)
  }

  #isLatest(): boolean {
    return this.#state.height === this.#height
  }

  *#walk(
    store: string,
    tree: MemoryTree,
    start: Uint8Array,
    end: Uint8Array | undefined,
    reverse: boolean,
  ): IterableIterator<readonly [Uint8Array, Uint8Array]> {
    let reached: Uint8Array | undefined
    let met = 0
    if (this.#isLatest()) {
      for (const leaf of leavesBetween(tree, tree.root, start, end, reverse)) {
        reached = tree.keys.read(tree.arena.key(leaf))
        yield [reached, this.#state.valueAt(store, leaf, reached, ++met <= SHORT_WALK)]
        if (!this.#isLatest()) break
      }
      if (this.#isLatest()) return
    }
    if (this.#height === 0) return
    const history = this.#history.at(this.#height)
    if (!reached) yield* history.entries(store, start, end, reverse)
    else if (reverse) yield* history.entries(store, start, reached, true)
    else {
      for (const entry of history.entries(store, reached, end)) {
        if (compareBytes(entry[0], reached) !== 0) yield entry
      }
    }
  }
}

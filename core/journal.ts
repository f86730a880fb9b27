import { compareBytes, toLatin1 } from './bytes.ts'
import { type Slot, SortedKeys } from './sorted-keys.ts'
import type { StateReader, StoreWrites, Write } from './state-reader.ts'

/** A typed event with the attributes in the order they were given. */
export interface Event {
  readonly type: string
  readonly attributes: readonly (readonly [key: string, value: string])[]
}

interface Overlay {
  readonly slots: Map<string, Slot>
  readonly sorted: SortedKeys
}

const FIRST_KEY = new Uint8Array(0)

type Undo = readonly [slot: Slot, previous: Uint8Array | null | undefined] | (() => void)

/**
 * The one key-value journal under everything that executes: a block, a transaction, a message and an EVM call frame
 * are checkpoints on it, committed or reverted whole, events included. `checkpoint` and `commit` cost O(1) whatever
 * the depth; `revert` costs what was written since.
 */
export class Journal {
  readonly #base: StateReader
  readonly #overlays = new Map<string, Overlay>()
  readonly #undo: Undo[] = []
  /** Two numbers a frame: the undo log's length and the events' length when it was opened. */
  readonly #frames: number[] = []
  #events: Event[] = []

  constructor(base: StateReader) {
    this.#base = base
  }

  /** Open checkpoints. */
  get depth(): number {
    return this.#frames.length >> 1
  }

  /** Whether nothing was ever written to it. */
  get isUnwritten(): boolean {
    return this.#overlays.size === 0
  }

  /** The value under `key`, which the caller must not modify. */
  get(store: string, key: Uint8Array): Uint8Array | undefined {
    const value = this.#overlays.get(store)?.slots.get(toLatin1(key))?.value
    if (value !== undefined) return value ?? undefined
    return this.#base.get(store, key)
  }

  has(store: string, key: Uint8Array): boolean {
    const value = this.#overlays.get(store)?.slots.get(toLatin1(key))?.value
    return value === undefined ? this.#base.has(store, key) : value !== null
  }

  /** The journal keeps `key` and `value`: the caller must not modify them afterwards. */
  set(store: string, key: Uint8Array, value: Uint8Array): void {
    this.#write(store, key, value)
  }

  delete(store: string, key: Uint8Array): void {
    this.#write(store, key, null)
  }

  #write(store: string, key: Uint8Array, value: Uint8Array | null): void {
    let overlay = this.#overlays.get(store)
    if (overlay === undefined) {
      overlay = { slots: new Map(), sorted: new SortedKeys() }
      this.#overlays.set(store, overlay)
    }
    const text = toLatin1(key)
    let slot = overlay.slots.get(text)
    if (slot === undefined) {
      slot = { key, value: undefined }
      overlay.slots.set(text, slot)
      overlay.sorted.add(slot)
    }
    if (this.#frames.length > 0) this.#undo.push([slot, slot.value])
    slot.value = value
  }

  /**
   * Entries with `start <= key < end`, ascending, or descending with `reverse`. Keys are those present when the
   * iteration reaches them; values are current. One that is written only while it lasts may be met or not: nobody adds
   * keys to what it walks.
   */
  *entries(
    store: string,
    start: Uint8Array,
    end: Uint8Array | undefined,
    reverse = false,
  ): IterableIterator<readonly [Uint8Array, Uint8Array]> {
    const written = this.#overlays.get(store)?.sorted.range(start, end, reverse)
    const sign = reverse ? -1 : 1
    for (const [key, value] of this.#base.entries(store, start, end, reverse)) {
      let order = -1
      for (let slot = written?.slot; slot !== undefined; slot = written?.slot) {
        order = compareBytes(slot.key, key) * sign
        if (order > 0) break
        written?.advance()
        if (order === 0) {
          if (slot.value === undefined) yield [key, value]
          else if (slot.value !== null) yield [slot.key, slot.value]
          break
        }
        if (slot.value) yield [slot.key, slot.value]
      }
      if (order !== 0) {
        const late = this.#overlays.get(store)?.slots.get(toLatin1(key))?.value
        if (late === undefined) yield [key, value]
        else if (late !== null) yield [key, late]
      }
    }
    for (let slot = written?.slot; slot !== undefined; slot = written?.slot) {
      written?.advance()
      if (slot.value) yield [slot.key, slot.value]
    }
  }

  /** How many keys of the store are below `key`; how many there are, without one. */
  rank(store: string, key?: Uint8Array): number {
    let rank = this.#base.rank(store, key)
    const written = this.#overlays.get(store)?.sorted.range(FIRST_KEY, key, false)
    for (let slot = written?.slot; slot !== undefined; slot = written?.slot) {
      written?.advance()
      if (slot.value === undefined) continue
      if (this.#base.has(store, slot.key)) rank--
      if (slot.value !== null) rank++
    }
    return rank
  }

  /** The key with so many below it; a walk where the store has been written to. */
  keyAt(store: string, rank: number): Uint8Array | undefined {
    if (!this.#overlays.has(store)) return this.#base.keyAt(store, rank)
    let below = 0
    for (const [key] of this.entries(store, FIRST_KEY, undefined)) if (below++ === rank) return key
    return undefined
  }

  emit(event: Event): void {
    this.#events.push(event)
  }

  /** Events emitted since the journal began or the last `takeEvents`. */
  get events(): readonly Event[] {
    return this.#events
  }

  /** Hands the events over and starts an empty list. Only between checkpoints. */
  takeEvents(): Event[] {
    if (this.#frames.length > 0) throw new Error('events cannot be taken inside a checkpoint')
    const taken = this.#events
    this.#events = []
    return taken
  }

  /** Puts `events` in place of those emitted since the innermost checkpoint was opened. */
  replaceEvents(events: readonly Event[]): void {
    this.#events.length = this.#frames.at(-1) ?? 0
    for (const event of events) this.#events.push(event)
  }

  /** Runs `undo` when the innermost open checkpoint, or one around it, is reverted. */
  onRevert(undo: () => void): void {
    if (this.#frames.length > 0) this.#undo.push(undo)
  }

  checkpoint(): void {
    this.#frames.push(this.#undo.length, this.#events.length)
  }

  /** Closes the innermost checkpoint and keeps what it did. */
  commit(): void {
    if (this.#frames.length === 0) throw new Error('no checkpoint to commit')
    this.#frames.length -= 2
    if (this.#frames.length === 0) this.#undo.length = 0
  }

  /** Closes the innermost checkpoint and takes back all writes and events since. */
  revert(): void {
    if (this.#frames.length === 0) throw new Error('no checkpoint to revert')
    this.#events.length = this.#frames.pop()!
    const length = this.#frames.pop()!
    while (this.#undo.length > length) {
      const undo = this.#undo.pop()!
      if (typeof undo === 'function') undo()
      else undo[0].value = undo[1]
    }
  }

  /** Runs `action` in a checkpoint: committed when it returns, reverted when it throws. */
  attempt<T>(action: () => T): T {
    this.checkpoint()
    const depth = this.depth
    let result: T
    try {
      result = action()
    } catch (error) {
      this.#abandon(depth)
      throw error
    }
    this.#close(depth)
    return result
  }

  /** The same for an action that answers later. Until then nothing else may write to the journal. */
  async attemptAsync<T>(action: () => Promise<T>): Promise<T> {
    this.checkpoint()
    const depth = this.depth
    let result: T
    try {
      result = await action()
    } catch (error) {
      this.#abandon(depth)
      throw error
    }
    this.#close(depth)
    return result
  }

  #abandon(depth: number): void {
    while (this.depth >= depth) this.revert()
  }

  #close(depth: number): void {
    if (this.depth !== depth) throw new Error('a checkpoint was left open')
    this.commit()
  }

  /** The net writes over the base, each store's ascending by key. Stores without any are left out. */
  writes(): StoreWrites[] {
    if (this.#frames.length > 0) throw new Error('a checkpoint is open')
    const out: StoreWrites[] = []
    for (const [store, overlay] of this.#overlays) {
      const writes: Write[] = []
      for (const slot of overlay.sorted.all()) {
        if (slot.value === undefined) continue
        if (slot.value === null && !this.#base.has(store, slot.key)) continue
        writes.push([slot.key, slot.value])
      }
      if (writes.length > 0) out.push({ store, writes })
    }
    return out.sort((a, b) => (a.store < b.store ? -1 : 1))
  }

  /** The net writes of this journal over the base of `below`, the journal it stands on. */
  writesThrough(below: Journal): StoreWrites[] {
    if (below.#overlays.size === 0) return this.writes()
    const both = new Journal(below.#base)
    both.apply(below.writes())
    both.apply(this.writes())
    return both.writes()
  }

  /** Writes what another journal, standing on this one, came to. */
  apply(all: readonly StoreWrites[]): void {
    for (const { store, writes } of all) for (const [key, value] of writes) this.#write(store, key, value)
  }
}

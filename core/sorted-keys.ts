import { compareBytes } from './bytes.ts'

/** What one key holds over the base: bytes, removed (`null`), or untouched (`undefined`, after a revert). */
export interface Slot {
  readonly key: Uint8Array
  value: Uint8Array | null | undefined
}

const byKey = (a: Slot, b: Slot): number => compareBytes(a.key, b.key)

/**
 * The slots of one store in key order, sorted only when somebody looks: adding costs O(1), a look costs the merge of
 * what came since the last one.
 */
export class SortedKeys {
  #sorted: Slot[] = []
  #fresh: Slot[] = []

  /** Adds a slot whose key is not there yet. */
  add(slot: Slot): void {
    this.#fresh.push(slot)
  }

  all(): readonly Slot[] {
    if (this.#fresh.length === 0) return this.#sorted
    const fresh = this.#fresh.sort(byKey)
    this.#fresh = []
    if (fresh.length <= 8) {
      for (const slot of fresh) this.#sorted.splice(this.#lowerBound(slot.key), 0, slot)
      return this.#sorted
    }
    const merged: Slot[] = []
    let i = 0
    for (const slot of this.#sorted) {
      while (i < fresh.length && byKey(fresh[i]!, slot) < 0) merged.push(fresh[i++]!)
      merged.push(slot)
    }
    while (i < fresh.length) merged.push(fresh[i++]!)
    this.#sorted = merged
    return merged
  }

  /** A copy of the slots with `start <= key < end`, in the order asked for. */
  range(start: Uint8Array, end: Uint8Array | undefined, reverse: boolean): Slot[] {
    this.all()
    const slice = this.#sorted.slice(
      this.#lowerBound(start),
      end === undefined ? undefined : this.#lowerBound(end),
    )
    return reverse ? slice.reverse() : slice
  }

  #lowerBound(key: Uint8Array): number {
    let low = 0
    let high = this.#sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareBytes(this.#sorted[middle]!.key, key) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

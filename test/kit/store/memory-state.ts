import { compareBytes, toLatin1 } from '../../../core/bytes.ts'
import type { StateReader } from '../../../core/state-reader.ts'

/** A StateReader over a plain map, sorted at each iteration: slow, obvious, for tests. */
export class MemoryState implements StateReader {
  readonly #stores = new Map<string, Map<string, readonly [Uint8Array, Uint8Array]>>()
  /** Calls of `get` so far. */
  reads = 0

  put(store: string, key: Uint8Array, value: Uint8Array | null): void {
    const map = this.#stores.get(store) ?? new Map()
    this.#stores.set(store, map)
    if (value === null) map.delete(toLatin1(key))
    else map.set(toLatin1(key), [key, value])
  }

  get(store: string, key: Uint8Array): Uint8Array | undefined {
    this.reads++
    return this.#stores.get(store)?.get(toLatin1(key))?.[1]
  }

  has(store: string, key: Uint8Array): boolean {
    return this.get(store, key) !== undefined
  }

  rank(store: string, key?: Uint8Array): number {
    const keys = [...(this.#stores.get(store)?.values() ?? [])].map(([k]) => k)
    return key === undefined ? keys.length : keys.filter((k) => compareBytes(k, key) < 0).length
  }

  keyAt(store: string, rank: number): Uint8Array | undefined {
    return [...this.entries(store, new Uint8Array(0), undefined)][rank]?.[0]
  }

  *entries(
    store: string,
    start: Uint8Array,
    end: Uint8Array | undefined,
    reverse = false,
  ): IterableIterator<readonly [Uint8Array, Uint8Array]> {
    const all = [...(this.#stores.get(store)?.values() ?? [])]
      .filter(([k]) => compareBytes(k, start) >= 0 && (end === undefined || compareBytes(k, end) < 0))
      .sort(([a], [b]) => compareBytes(a, b))
    yield* reverse ? all.reverse() : all
  }
}

import { inconsistent, StoreError } from '../store-error.ts'

export const MAX_KEY_BYTES = 0xffff
const UNIT = 8
const HEADER = 2

/**
 * The keys of one tree in one buffer outside the garbage collector's heap. A slot is an offset in units of 8 bytes;
 * freed slots are reused for keys of the same size class. A freed slot has length 0, a key at least 1.
 */
export class KeySlab {
  #bytes: Buffer = Buffer.allocUnsafeSlow(1 << 12)
  #top = UNIT
  readonly #free = new Map<number, number[]>()

  allocate(key: Uint8Array): number {
    if (key.length === 0 || key.length > MAX_KEY_BYTES) {
      throw new StoreError('bad_write', `a key has ${key.length} bytes; 1 to ${MAX_KEY_BYTES} are allowed`)
    }
    const units = Math.ceil((HEADER + key.length) / UNIT)
    let slot = this.#free.get(units)?.pop()
    if (slot === undefined) {
      if (this.#top + units * UNIT > this.#bytes.length) this.#grow(units * UNIT)
      slot = this.#top / UNIT
      this.#top += units * UNIT
    } else if (this.lengthOf(slot) !== 0)
      throw inconsistent(`key ${slot} was written to after it was released`)
    const offset = slot * UNIT
    this.#bytes[offset] = key.length & 0xff
    this.#bytes[offset + 1] = key.length >>> 8
    this.#bytes.set(key, offset + HEADER)
    return slot
  }

  /** Throws StoreError `inconsistent` where no key begins at `slot`. */
  release(slot: number): void {
    const offset = slot * UNIT
    const length = offset > 0 && offset < this.#top ? this.lengthOf(slot) : 0
    if (length === 0) throw inconsistent(`key ${slot} is released, but is not in use`)
    this.#bytes[offset] = 0
    this.#bytes[offset + 1] = 0
    const units = Math.ceil((HEADER + length) / UNIT)
    const list = this.#free.get(units)
    if (list) list.push(slot)
    else this.#free.set(units, [slot])
  }

  lengthOf(slot: number): number {
    const offset = slot * UNIT
    return this.#bytes[offset]! | (this.#bytes[offset + 1]! << 8)
  }

  /** A copy. */
  read(slot: number): Uint8Array {
    const start = slot * UNIT + HEADER
    return new Uint8Array(this.#bytes.subarray(start, start + this.lengthOf(slot)))
  }

  /** Where the key's bytes begin in `buffer`. Both hold until the next allocation. */
  offsetOf(slot: number): number {
    return slot * UNIT + HEADER
  }

  get buffer(): Buffer {
    return this.#bytes
  }

  /** Below 0 where `key` sorts before the slot's key, 0 where equal. */
  compare(key: Uint8Array, slot: number): number {
    const bytes = this.#bytes
    const length = this.lengthOf(slot)
    const start = slot * UNIT + HEADER
    const common = Math.min(key.length, length)
    for (let i = 0; i < common; i++) {
      const difference = key[i]! - bytes[start + i]!
      if (difference !== 0) return difference
    }
    return key.length - length
  }

  #grow(count: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#top + count, this.#bytes.length * 2))
    grown.set(this.#bytes.subarray(0, this.#top))
    this.#bytes = grown
  }
}

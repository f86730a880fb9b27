import { compareBytes } from '../../core/bytes.ts'
import type { StoreWrites, Write } from '../../core/state-reader.ts'

/** The same 20-byte key for `n` as main.go makes. */
function keyOf(n: number): Uint8Array {
  const key = new Uint8Array(20)
  const view = new DataView(key.buffer)
  let x = n >>> 0
  for (let i = 0; i < 5; i++) {
    x = (Math.imul(x, 2654435761) + 0x9e3779b9) >>> 0
    x = (x ^ (x >>> 15)) >>> 0
    view.setUint32(i * 4, x)
  }
  return key
}

function valueFor(n: number, round: number): Uint8Array {
  const value = new Uint8Array(40)
  const view = new DataView(value.buffer)
  for (let i = 0; i < 10; i++) view.setUint32(i * 4, (n * 31 + round * 17 + i) >>> 0)
  return value
}

export function writesFor(store: string, numbers: Iterable<number>, round: number): StoreWrites {
  const writes = [...new Set(numbers)].map((n): Write => [keyOf(n), valueFor(n, round)])
  return { store, writes: writes.sort((a, b) => compareBytes(a[0], b[0])) }
}

/** The numbers of `updates` leaves among `leaves`, drawn by the generator of main.go. */
export class Draw {
  #seed = 1

  take(leaves: number, updates: number): number[] {
    return Array.from({ length: updates }, () => {
      this.#seed = (Math.imul(this.#seed, 1664525) + 1013904223) >>> 0
      return Number((BigInt(this.#seed) * BigInt(leaves)) >> 32n)
    })
  }
}

import { compareBytes } from './bytes.ts'

/** What one key holds over the base: bytes, removed (`null`), or untouched (`undefined`, after a revert). */
export interface Slot {
  readonly key: Uint8Array
  value: Uint8Array | null | undefined
}

/** Slots in key order, which nobody changes. */
type Run = readonly Slot[]

const byKey = (a: Slot, b: Slot): number => compareBytes(a.key, b.key)

/**
 * The slots of one store in key order, sorted only when somebody looks: in runs, each at least twice as long as the
 * next, so that n writes with looks between them cost O(n log n), and a look O(log² n) and what it reads.
 */
export class SortedKeys {
  #runs: Run[] = []
  #fresh: Slot[] = []

  /** Adds a slot whose key is not there yet. */
  add(slot: Slot): void {
    this.#fresh.push(slot)
  }

  all(): Run {
    this.#settle()
    const whole = this.#runs.reduceRight((shorter, longer) => merged(longer, shorter), [])
    this.#runs = [whole]
    return whole
  }

  /** The slots with `start <= key < end` that are there now, in the order asked for; those added later are not met. */
  range(start: Uint8Array, end: Uint8Array | undefined, reverse: boolean): Cursor {
    this.#settle()
    return new Cursor(this.#runs, start, end, reverse)
  }

  #settle(): void {
    if (this.#fresh.length === 0) return
    let run: Run = this.#fresh.sort(byKey)
    this.#fresh = []
    while (this.#runs.length > 0 && this.#runs.at(-1)!.length < 2 * run.length)
      run = merged(this.#runs.pop()!, run)
    this.#runs.push(run)
  }
}

/** A place among the slots of several runs, none of which has a key of another. */
export class Cursor {
  /** For each run that has any left: the next slot's index, and the one after the last. */
  readonly #parts: { readonly run: Run; at: number; readonly end: number }[] = []
  readonly #step: 1 | -1
  #next: number

  constructor(runs: readonly Run[], start: Uint8Array, end: Uint8Array | undefined, reverse: boolean) {
    this.#step = reverse ? -1 : 1
    for (const run of runs) {
      const low = lowerBound(run, start)
      const high = end === undefined ? run.length : lowerBound(run, end)
      if (low < high)
        this.#parts.push(reverse ? { run, at: high - 1, end: low - 1 } : { run, at: low, end: high })
    }
    this.#next = this.#first()
  }

  /** The slot here; nothing at the end. */
  get slot(): Slot | undefined {
    const part = this.#parts[this.#next]
    return part?.run[part.at]
  }

  advance(): void {
    const part = this.#parts[this.#next]!
    part.at += this.#step
    if (part.at === part.end) this.#parts.splice(this.#next, 1)
    this.#next = this.#first()
  }

  #first(): number {
    let first = 0
    for (let i = 1; i < this.#parts.length; i++) {
      const [a, b] = [this.#parts[i]!, this.#parts[first]!]
      if (byKey(a.run[a.at]!, b.run[b.at]!) * this.#step < 0) first = i
    }
    return first
  }
}

function merged(a: Run, b: Run): Run {
  const out: Slot[] = []
  let i = 0
  for (const slot of a) {
    while (i < b.length && byKey(b[i]!, slot) < 0) out.push(b[i++]!)
    out.push(slot)
  }
  while (i < b.length) out.push(b[i++]!)
  return out
}

function lowerBound(run: Run, key: Uint8Array): number {
  let low = 0
  let high = run.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareBytes(run[middle]!.key, key) < 0) low = middle + 1
    else high = middle
  }
  return low
}

import { toLatin1 } from '../../core/bytes.ts'
import { type DecodedTx, decodeTx } from '../../core/tx/decode.ts'

/** Bytes of memory that a decoded transaction takes beside its text, about. */
const DECODED_BYTES = 2048

const sizeOf = (key: string): number => key.length + DECODED_BYTES

/**
 * Decoded transactions by their bytes, kept from CheckTx to FinalizeBlock; the older half is dropped when the cache
 * is full. A hit changes speed only: decoding is a pure function of the bytes. What does not decode is not kept.
 */
export class TxCache {
  #young = new Map<string, DecodedTx>()
  #old = new Map<string, DecodedTx>()
  #bytes = 0
  readonly #maxBytes: number

  constructor(maxBytes = 256 * 1024 * 1024) {
    this.#maxBytes = maxBytes / 2
  }

  /** Throws what `decodeTx` throws. */
  decode(bytes: Uint8Array): DecodedTx {
    const key = toLatin1(bytes)
    let known = this.#young.get(key)
    if (known === undefined) {
      known = this.#old.get(key) ?? decodeTx(bytes)
      this.#keep(key, known)
    }
    return known
  }

  /** Forgets a transaction that will not be asked for again. */
  forget(bytes: Uint8Array): void {
    const key = toLatin1(bytes)
    if (this.#young.delete(key)) this.#bytes -= sizeOf(key)
    this.#old.delete(key)
  }

  #keep(key: string, known: DecodedTx): void {
    if (this.#bytes + sizeOf(key) > this.#maxBytes) {
      this.#old = this.#young
      this.#young = new Map()
      this.#bytes = 0
    }
    this.#young.set(key, known)
    this.#bytes += sizeOf(key)
  }
}

/** A bounded set of texts; the older half goes when it is full. */
export class RecentSet {
  #young = new Set<string>()
  #old = new Set<string>()
  readonly #half: number

  constructor(size = 200_000) {
    this.#half = size / 2
  }

  has(id: string): boolean {
    return this.#young.has(id) || this.#old.has(id)
  }

  add(id: string): void {
    if (this.#young.size >= this.#half) {
      this.#old = this.#young
      this.#young = new Set()
    }
    this.#young.add(id)
  }
}

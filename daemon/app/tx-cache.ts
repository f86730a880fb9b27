import { toLatin1 } from '../../core/bytes.ts'
import { ChainError } from '../../core/error.ts'
import { type DecodedTx, decodeTx } from '../../core/tx/decode.ts'

/** What is known of a transaction's bytes: decoded, or why they do not decode. */
type Known = DecodedTx | ChainError

/**
 * Decoded transactions by their bytes, kept from CheckTx to FinalizeBlock; the older half is dropped when the cache
 * is full. A hit changes speed only: decoding is a pure function of the bytes.
 */
export class TxCache {
  #young = new Map<string, Known>()
  #old = new Map<string, Known>()
  #bytes = 0
  readonly #maxBytes: number

  constructor(maxBytes = 128 * 1024 * 1024) {
    this.#maxBytes = maxBytes / 2
  }

  /** Throws what `decodeTx` throws. */
  decode(bytes: Uint8Array): DecodedTx {
    const key = toLatin1(bytes)
    let known = this.#young.get(key)
    if (known === undefined) {
      known = this.#old.get(key) ?? this.#read(bytes)
      this.#keep(key, known)
    }
    if (known instanceof ChainError) throw known
    return known
  }

  /** Forgets a transaction that will not be asked for again. */
  forget(bytes: Uint8Array): void {
    const key = toLatin1(bytes)
    if (this.#young.delete(key)) this.#bytes -= key.length
    this.#old.delete(key)
  }

  #read(bytes: Uint8Array): Known {
    try {
      return decodeTx(bytes)
    } catch (error) {
      if (error instanceof ChainError) return error
      throw error
    }
  }

  #keep(key: string, known: Known): void {
    if (this.#bytes + key.length > this.#maxBytes) {
      this.#old = this.#young
      this.#young = new Map()
      this.#bytes = 0
    }
    this.#young.set(key, known)
    this.#bytes += key.length
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

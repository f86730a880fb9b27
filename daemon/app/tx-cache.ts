import { digestKey, memory } from '../../core/remembered.ts'
import { type DecodedTx, decodeTx } from '../../core/tx/decode.ts'

/** Bytes of memory that a small transaction takes when decoded, and a large one for each of its bytes, about. */
const DECODED_BYTES = 2048
const DECODED_FACTOR = 10

/**
 * Decoded transactions by their bytes, kept from CheckTx to FinalizeBlock. What does not decode is not kept.
 */
export class TxCache {
  readonly #decoded

  constructor(maxBytes = 256 * 1024 * 1024) {
    this.#decoded = memory<DecodedTx>(maxBytes, ({ bytes }) =>
      Math.max(DECODED_BYTES, DECODED_FACTOR * bytes.length),
    )
  }

  /** Throws what `decodeTx` throws. */
  decode(bytes: Uint8Array): DecodedTx {
    const key = digestKey(bytes)
    return this.#decoded.get(key) ?? this.#decoded.set(key, decodeTx(bytes))
  }

  /** Forgets a transaction that will not be asked for again. */
  forget(bytes: Uint8Array): void {
    this.#decoded.delete(digestKey(bytes))
  }
}

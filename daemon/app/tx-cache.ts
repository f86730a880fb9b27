import { digestKey, memory } from '../../core/remembered.ts'
import { type AppTx, decodeAppTx } from './app-tx.ts'
import type { Router } from './router.ts'

/** Bytes of memory that a small transaction takes when decoded, and a large one for each of its bytes, about. */
const DECODED_BYTES = 2048
const DECODED_FACTOR = 10

/**
 * Decoded transactions by their bytes, kept from CheckTx to FinalizeBlock. What does not decode is not kept.
 */
export class TxCache {
  readonly #decoded

  readonly #router

  constructor(router: Pick<Router, 'transactions'>, maxBytes = 256 * 1024 * 1024) {
    this.#router = router
    this.#decoded = memory<AppTx>(maxBytes, ({ bytes }) =>
      Math.max(DECODED_BYTES, DECODED_FACTOR * bytes.length),
    )
  }

  /** Throws what `decodeAppTx` throws. */
  decode(bytes: Uint8Array): AppTx {
    const key = digestKey(bytes)
    return this.#decoded.get(key) ?? this.#decoded.set(key, decodeAppTx(this.#router, bytes))
  }

  /** Forgets a transaction that will not be asked for again. */
  forget(bytes: Uint8Array): void {
    this.#decoded.delete(digestKey(bytes))
  }
}

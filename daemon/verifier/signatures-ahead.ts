import { Worker } from 'node:worker_threads'
import type { Context } from '../../core/context.ts'
import { ChainError } from '../../core/error.ts'
import type { DecodedTx } from '../../core/tx/decode.ts'
import { type AnteOptions, type AwaitedSignature, awaitedSignature } from '../../modules/ante/api.ts'
import { encodeBatch } from './batch.ts'

export interface SignaturesAheadOptions {
  /** What CheckTx sees; absent where transactions are not taken. */
  readonly context: () => Context | undefined
  /** Throws ChainError for what is no transaction. */
  readonly decode: (tx: Uint8Array) => DecodedTx
  /** CheckTx's: `verified` is asked before it verifies a signature itself. */
  readonly ante: AnteOptions
  readonly log: { warn(fields: object, message: string): void }
}

/** Longer transactions are left to CheckTx: what is refused before its signature is asked for is decoded once. */
const MOST_TX_BYTES = 4096
/** Batches under way; with as many the worker is behind CheckTx, and no help. */
const MOST_BATCHES = 4

/**
 * Verifies the signatures of transactions that wait for CheckTx, in a thread of its own. It only ever adds good ones to
 * what is remembered, so no answer depends on it: where it is late or ends, CheckTx verifies by itself.
 */
export class SignaturesAhead {
  readonly #options: SignaturesAheadOptions
  readonly #batches: (readonly AwaitedSignature[])[] = []
  #worker: Worker | undefined
  #ended = false

  constructor(options: SignaturesAheadOptions) {
    this.#options = options
  }

  readonly awaited = (txs: readonly Uint8Array[]): void => {
    const ctx = this.#options.context()
    if (this.#ended || ctx === undefined || this.#batches.length >= MOST_BATCHES) return
    const batch = txs.flatMap((tx) => this.#signatureOf(ctx, tx) ?? [])
    if (batch.length === 0) return
    this.#worker ??= this.#start()
    this.#batches.push(batch)
    const bytes = encodeBatch(batch)
    this.#worker.postMessage(bytes, [bytes.buffer as ArrayBuffer])
  }

  async close(): Promise<void> {
    this.#ended = true
    await this.#worker?.terminate()
  }

  #signatureOf(ctx: Context, bytes: Uint8Array): AwaitedSignature | undefined {
    if (bytes.length > MOST_TX_BYTES) return undefined
    const { decode, ante } = this.#options
    try {
      return awaitedSignature(ctx, decode(bytes), ante)
    } catch (error) {
      // CheckTx says why.
      if (error instanceof ChainError) return undefined
      throw error
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { execArgv: [], name: 'signatures' })
    worker.unref()
    worker.on('message', (good: Uint8Array) => {
      const batch = this.#batches.shift()!
      for (const [i, { id }] of batch.entries()) if (good[i] === 1) this.#options.ante.verified.set(id, true)
    })
    worker.on('error', (err) =>
      this.#options.log.warn(
        { err },
        'the thread that verifies signatures ahead ended: CheckTx does it alone',
      ),
    )
    worker.on('exit', () => {
      this.#ended = true
      this.#batches.length = 0
    })
    return worker
  }
}

import { Worker } from 'node:worker_threads'
import type { Context } from '../../core/context.ts'
import { ChainError } from '../../core/error.ts'
import type { Log } from '../../core/log.ts'
import { type AwaitedSignature, awaitedSignature } from '../../modules/ante/api.ts'
import type { Chain } from '../app/chain.ts'
import { encodeBatch } from './batch.ts'

/** Longer transactions are left to CheckTx: what is refused before its signature is asked for is decoded once. */
const MOST_TX_BYTES = 4096
/** Batches under way; with as many the worker is behind CheckTx, and no help. */
const MOST_BATCHES = 4

/**
 * Verifies the signatures of transactions that wait for CheckTx, in a thread of its own. It only ever adds good ones to
 * what is remembered, so no answer depends on it: where it is late or ends, CheckTx verifies by itself.
 */
export class SignaturesAhead {
  readonly #chain: Chain
  readonly #log: Log
  readonly #batches: (readonly AwaitedSignature[])[] = []
  #worker: Worker | undefined
  #ended = false

  constructor(chain: Chain, log: Log) {
    this.#chain = chain
    this.#log = log
  }

  readonly awaited = (txs: readonly Uint8Array[]): void => {
    const { isHalted, lastBlock } = this.#chain
    if (this.#ended || isHalted || lastBlock.chainId === '' || this.#batches.length >= MOST_BATCHES) return
    const ctx = this.#chain.view('checked')
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
    const { txs, execution } = this.#chain
    try {
      return awaitedSignature(ctx, txs.decode(bytes), execution.ante)
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
      const { verified } = this.#chain.execution.ante
      for (const [i, { id }] of this.#batches.shift()!.entries()) if (good[i] === 1) verified.set(id, true)
    })
    worker.on('error', (err) =>
      this.#log.warn({ err }, 'the thread that verifies signatures ahead ended: CheckTx does it alone'),
    )
    worker.on('exit', () => {
      this.#ended = true
      this.#batches.length = 0
    })
    return worker
  }
}

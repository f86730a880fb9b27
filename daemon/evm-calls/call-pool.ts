import { Worker } from 'node:worker_threads'
import { Unavailable } from '../../core/error.ts'
import { CallRefused } from '../../modules/evm/api.ts'
import type { FoundLog } from '../index/eth-logs.ts'
import type { CallResult, PoolRequest, ResultOf, WorkerAnswer, WorkerRequest } from './messages.ts'

/** Calls that wait, of all clients together and of one. */
const MAX_WAITING = 256
const MAX_WAITING_PER_CLIENT = 64

interface Job {
  readonly client: string
  readonly request: PoolRequest
  readonly resolve: (result: CallResult | readonly FoundLog[]) => void
  readonly reject: (error: Error) => void
}

export class CallTookTooLong extends Error {
  override readonly name = 'CallTookTooLong'
}

/**
 * Runs calls in a thread of its own, which reads the committed versions of the store beside the one that decides blocks: a
 * call delays no block, however long it runs. One that runs longer than it may ends with its thread, and the next begins a
 * new one.
 */
export class CallPool {
  readonly #path: string
  readonly #timeoutMs: number
  readonly #waiting: Job[] = []
  #running: { readonly job: Job; readonly id: number; readonly timer: NodeJS.Timeout } | undefined
  #worker: Worker | undefined
  #nextId = 0
  #isClosed = false

  constructor(path: string, timeoutMs: number) {
    this.#path = path
    this.#timeoutMs = timeoutMs
  }

  /** Rejects with CallRefused, CallTookTooLong, Unavailable, or a fault of the node's. */
  run<R extends PoolRequest>(client: string, request: R): Promise<ResultOf<R>> {
    const own = this.#waiting.filter((job) => job.client === client).length
    if (this.#isClosed || this.#waiting.length >= MAX_WAITING || own >= MAX_WAITING_PER_CLIENT)
      return Promise.reject(new Unavailable('too many calls wait for their turn'))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ client, request, resolve: (result) => resolve(result as ResultOf<R>), reject })
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { reject } of this.#waiting.splice(0)) reject(new Unavailable('the node stops'))
    await this.#end(new Unavailable('the node stops'))
  }

  #next(): void {
    if (this.#running !== undefined || this.#isClosed) return
    const job = this.#waiting.shift()
    if (job === undefined) return
    const id = this.#nextId++
    const worker = this.#start()
    const timer = setTimeout(() => {
      void this.#end(new CallTookTooLong(`execution aborted (timeout = ${this.#timeoutMs} ms)`)).then(() =>
        this.#next(),
      )
    }, this.#timeoutMs)
    this.#running = { job, id, timer }
    worker.postMessage({ id, request: job.request } satisfies WorkerRequest)
  }

  #start(): Worker {
    if (this.#worker !== undefined) return this.#worker
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: { path: this.#path } })
    worker.on('message', (answer: WorkerAnswer) => this.#settle(answer))
    worker.on('error', (error) => {
      if (this.#worker === worker) void this.#end(error as Error).then(() => this.#next())
    })
    this.#worker = worker
    return worker
  }

  #settle(answer: WorkerAnswer): void {
    const running = this.#running
    if (running === undefined || running.id !== answer.id) return
    clearTimeout(running.timer)
    this.#running = undefined
    if ('result' in answer) running.job.resolve(answer.result)
    else if ('refused' in answer) running.job.reject(new CallRefused(answer.refused))
    else running.job.reject(new Error(answer.failed))
    this.#next()
  }

  async #end(error: Error): Promise<void> {
    const running = this.#running
    this.#running = undefined
    if (running !== undefined) {
      clearTimeout(running.timer)
      running.job.reject(error)
    }
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }
}

import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

export interface Latencies {
  /** Milliseconds each. */
  readonly latencies: readonly number[]
  /** Answers other than 200, and none at all. */
  readonly failures: number
}

/** A client that asks ten times a second, whatever comes back. */
export class RestPoll {
  readonly #worker: Worker

  constructor(urls: readonly string[]) {
    this.#worker = new Worker(join(import.meta.dirname, 'rest-client.js'), { workerData: { urls } })
  }

  /** What came since the last time. */
  async take(): Promise<Latencies> {
    this.#worker.postMessage('take')
    const [answer] = (await once(this.#worker, 'message')) as [Latencies]
    return answer
  }

  async stop(): Promise<void> {
    const exited = once(this.#worker, 'exit')
    this.#worker.postMessage('stop')
    await exited
  }
}

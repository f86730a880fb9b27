import type { Log } from './log.ts'

/** Parts of a process, started one after another and stopped in reverse. */
export class Lifecycle {
  readonly #log: Log
  readonly #running: { readonly name: string; readonly stop: () => Promise<void> | void }[] = []
  #stopping: Promise<void> | undefined

  constructor(log: Log) {
    this.#log = log
  }

  /** Starts a part. Where that fails, those started before are stopped first, then it rejects. */
  async start<T>(
    name: string,
    begin: () => Promise<T> | T,
    stop: (part: T) => Promise<void> | void,
  ): Promise<T> {
    let part: T
    try {
      if (this.#stopping) throw new Error(`${name} is not started any more`)
      part = await begin()
    } catch (error) {
      await this.stop()
      throw error
    }
    this.#running.push({ name, stop: () => stop(part) })
    return part
  }

  /** Stops what runs; a part that fails to stop does not keep the others from it. Safe to call twice. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    for (let part = this.#running.pop(); part; part = this.#running.pop()) {
      try {
        await part.stop()
      } catch (error) {
        this.#log.error({ err: error, part: part.name }, 'a part failed to stop')
      }
    }
  }
}

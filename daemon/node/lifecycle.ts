import type { Log } from '../../core/log.ts'

/** How long a part may take to stop, where it states nothing else. */
const PATIENCE_MS = 2000

export interface Part<T> {
  /** `signal` is aborted when the process is to stop: what takes long may give up then. */
  readonly begin: (signal: AbortSignal) => Promise<T> | T
  readonly stop?: (part: T) => Promise<void> | void
  /** How long `stop` may take before it is given up; default 2 s. */
  readonly patienceMs?: number
}

/** Parts of a process, started one after another and stopped in reverse. */
export class Lifecycle {
  readonly #log: Log
  readonly #running: { readonly name: string; readonly stop: () => Promise<void> }[] = []
  readonly #abort = new AbortController()
  #beginning: Promise<void> = Promise.resolve()
  #stopping: Promise<void> | undefined
  #left: string[] = []

  constructor(log: Log) {
    this.#log = log
  }

  /** The parts that have not stopped, though they were to. */
  get left(): readonly string[] {
    return this.#left
  }

  /**
   * Starts a part. Where that fails, those started before are stopped first, then it rejects. It rejects too where the
   * process is stopped meanwhile: the part is stopped then, as soon as it has begun.
   */
  async start<T>(name: string, { begin, stop, patienceMs = PATIENCE_MS }: Part<T>): Promise<T> {
    this.#abort.signal.throwIfAborted()
    const begun = (async () => begin(this.#abort.signal))().then((part) => {
      if (stop) this.#running.push({ name, stop: () => this.#stopPart(name, () => stop(part), patienceMs) })
      return part
    })
    const ended = begun.then(
      () => {},
      () => {},
    )
    this.#beginning = ended
    try {
      const part = await begun
      this.#abort.signal.throwIfAborted()
      return part
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  /**
   * Stops what runs, and what is beginning once it has begun. A part that fails to stop, or does not in its time, does not
   * keep the others from it. Safe to call twice.
   */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    this.#abort.abort(new Error('the process is stopped'))
    await this.#beginning
    for (let part = this.#running.pop(); part; part = this.#running.pop()) await part.stop()
  }

  async #stopPart(name: string, stop: () => Promise<void> | void, patienceMs: number): Promise<void> {
    this.#left.push(name)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), patienceMs)
    })
    const stopped = (async () => stop())().catch((error: unknown) =>
      this.#log.error({ err: error, part: name }, 'a part failed to stop'),
    )
    const outcome = await Promise.race([stopped, late])
    clearTimeout(timer)
    if (outcome === 'late')
      this.#log.error({ part: name, ms: patienceMs }, 'a part does not stop: it is left')
    else this.#left = this.#left.filter((each) => each !== name)
  }
}

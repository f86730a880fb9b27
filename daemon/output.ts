import { constants, fstatSync, openSync, writeSync } from 'node:fs'

export interface OutputOptions {
  /** How much waits for a reader who is slow, in characters; default 1 Mi. */
  readonly limit?: number
  /** Written where lines were lost, in their place; default nothing. */
  readonly notice?: (lines: number) => string
}

const LIMIT = 1 << 20
/** How often a reader who took nothing is tried again. */
const RETRY_MS = 25

/**
 * Lines for a reader who may be gone, asleep, or a full disk. `write` neither waits nor throws: what is not taken at
 * once waits, of what waits too much the oldest goes, and what cannot be written at all is lost. A line that is taken is
 * with the system when `write` returns, so that a process may end right after it.
 */
export class Output {
  readonly #fd: number
  readonly #limit: number
  readonly #notice: (lines: number) => string
  /** The bytes that are being written: a line, perhaps behind a notice of lost ones. */
  #current = Buffer.alloc(0)
  /** How many lines are lost if `#current` is. */
  #currentLines = 0
  #waiting: string[] = []
  #waitingLength = 0
  #lost = 0
  /** Whether the last that was taken ends in the midst of a line. */
  #torn = false
  #retry: NodeJS.Timeout | undefined

  /** @param fd of a file, or of a pipe, a socket or a terminal that is set not to block: see `openOutput` */
  constructor(fd: number, { limit = LIMIT, notice = () => '' }: OutputOptions = {}) {
    this.#fd = fd
    this.#limit = limit
    this.#notice = notice
  }

  /** @param line or several, each with its end */
  write(line: string): void {
    if (line === '') return
    this.#waiting.push(line)
    this.#waitingLength += line.length
    if (this.#retry === undefined) this.#drain()
    if (this.#waitingLength > this.#limit) this.#dropOldest()
  }

  /** Waits until everything is written, `ms` at the most. */
  async flush(ms: number): Promise<void> {
    const deadline = performance.now() + ms
    while (this.#retry !== undefined && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }

  #drain(): void {
    clearTimeout(this.#retry)
    this.#retry = undefined
    try {
      while (this.#takeNext()) {
        const count = writeSync(this.#fd, this.#current)
        this.#torn = count < this.#current.length
        this.#current = this.#current.subarray(count)
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') this.#tryAgain()
      else this.#loseAll()
    }
  }

  /** Whether there is something to write. */
  #takeNext(): boolean {
    if (this.#current.length > 0) return true
    const line = this.#waiting.shift()
    if (line === undefined) return false
    this.#waitingLength -= line.length
    const notice = this.#lost > 0 ? this.#notice(this.#lost) : ''
    this.#current = Buffer.from(`${this.#torn ? '\n' : ''}${notice}${line}`)
    this.#currentLines = 1 + this.#lost
    this.#lost = 0
    return true
  }

  #tryAgain(): void {
    this.#retry = setTimeout(() => this.#drain(), RETRY_MS)
    // Nobody has to wait for this reader, but for `flush`.
    this.#retry.unref()
  }

  #loseAll(): void {
    this.#lost += this.#currentLines + this.#waiting.length
    this.#current = Buffer.alloc(0)
    this.#waiting = []
    this.#waitingLength = 0
  }

  #dropOldest(): void {
    while (this.#waitingLength > this.#limit / 2 && this.#waiting.length > 1) {
      this.#waitingLength -= this.#waiting.shift()!.length
      this.#lost++
    }
  }
}

/** An output to standard output (1) or standard error (2), whatever that is. Other processes may have it too. */
export function openOutput(fd: 1 | 2, options?: OutputOptions): Output {
  return new Output(unblocked(fd), options)
}

function unblocked(fd: 1 | 2): number {
  const stat = fstatSync(fd)
  if (stat.isFIFO() || stat.isCharacterDevice())
    try {
      // Opened anew, it is set for this process alone. A file would lose its position by that, and a socket cannot be.
      return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
    } catch {
      // There is no /proc, or the pipe belongs to another user or has no reader.
    }
  // Node sets pipes and sockets not to block when it makes its own streams of them.
  void (fd === 1 ? process.stdout : process.stderr)
  return fd
}

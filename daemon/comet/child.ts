import { type ChildProcess, spawn } from 'node:child_process'
import { cleanEnvironment } from './environment.ts'
import { guard } from './guard.ts'
import { LineReader } from './log-lines.ts'

export interface ChildOptions {
  readonly binary: string
  readonly home: string
  /** Told of each line on its standard output. */
  readonly onLine: (line: string) => void
  /** Told where nothing could be started that watches over it. */
  readonly onUnguarded: (error: Error) => void
}

/** How a process ended; `error` where it could not be started. */
export interface ChildEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly error?: Error
}

const KEPT_LINES = 30
/** How long the output of a killed process may stay open; one that it has started elsewhere may hold it for ever. */
const DRAIN_MS = 500

/** A running `cometbft start`, with all that it starts itself: signals reach them all. It ends with this process. */
export class CometChild {
  readonly #process: ChildProcess
  readonly #guard: ReturnType<typeof guard> | undefined
  /** Resolves when it has ended and all its lines are read. */
  readonly ended: Promise<ChildEnd>
  /** The last of what it printed. */
  readonly lastLines: string[] = []

  constructor({ binary, home, onLine, onUnguarded }: ChildOptions) {
    const child = spawn(binary, ['start', '--home', home], {
      env: cleanEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      // A Ctrl-C in the terminal reaches the node alone, which then ends CometBFT in order.
      detached: true,
    })
    this.#process = child
    this.#read(child.stdout, onLine)
    this.#read(child.stderr, () => {})
    this.ended = new Promise((resolve) => {
      child.once('error', (error) => {
        if (child.pid === undefined) resolve({ code: null, signal: null, error })
      })
      child.once('close', (code, signal) => {
        if (child.pid !== undefined) resolve({ code, signal })
      })
    })
    if (child.pid === undefined) return
    this.#guard = guard(child.pid, onUnguarded)
    void this.ended.then(() => this.#guard?.release())
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  /** SIGTERM, and SIGKILL where it still lives after `graceMs`. */
  end(graceMs: number): void {
    this.#signal('SIGTERM')
    const timer = setTimeout(() => this.kill(), graceMs)
    void this.ended.then(() => clearTimeout(timer))
  }

  kill(): void {
    this.#signal('SIGKILL')
    this.#guard?.release()
    const { stdout, stderr } = this.#process
    const timer = setTimeout(() => {
      stdout?.destroy()
      stderr?.destroy()
    }, DRAIN_MS)
    void this.ended.then(() => clearTimeout(timer))
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.pid === undefined) return
    try {
      process.kill(-this.pid, signal)
    } catch {
      // It has ended in the meantime.
    }
  }

  /** Without descriptors left, a process that cannot be started has no output either. */
  #read(stream: NodeJS.ReadableStream | null | undefined, onLine: (line: string) => void): void {
    const lines = new LineReader((line) => {
      this.lastLines.push(line)
      if (this.lastLines.length > KEPT_LINES) this.lastLines.shift()
      onLine(line)
    })
    stream?.setEncoding('utf8')
    stream?.on('data', (text: string) => lines.push(text))
    stream?.on('close', () => lines.end())
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withoutSettings } from '../daemon/config/environment.ts'
import type { NodeInfo } from './info.ts'

const program = fileURLToPath(new URL('../daemon/main.js', import.meta.url))

/** How long a node may take to stop; it promises 10 s. */
const graceMs = 12_000

/** One `fornaxd start` of a local network. */
export class NodeProcess {
  readonly info: NodeInfo
  #child: ChildProcess | undefined
  #exited: Promise<void> = Promise.resolve()

  constructor(info: NodeInfo) {
    this.info = info
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  get running(): boolean {
    return this.#child !== undefined
  }

  /** Settles when the process has ended. */
  get exited(): Promise<void> {
    return this.#exited
  }

  get log(): string {
    return join(this.info.home, 'node.log')
  }

  start(): void {
    if (this.#child) throw new Error(`${this.info.name} runs already`)
    const log = openSync(this.log, 'a')
    // A process group of its own: Ctrl-C reaches the local network alone, which then stops its nodes in order.
    const child = spawn(
      process.execPath,
      ['--enable-source-maps', program, 'start', '--home', this.info.home],
      {
        stdio: ['ignore', log, log],
        detached: true,
        // What the environment says is for the node of one home, and these are several.
        env: withoutSettings(process.env),
      },
    )
    closeSync(log)
    this.#child = child
    this.#exited = new Promise((resolve) => {
      const onEnd = (): void => {
        this.#child = undefined
        rmSync(pidFile(this.info), { force: true })
        resolve()
      }
      child.once('exit', onEnd)
      child.once('error', () => child.pid === undefined && onEnd())
    })
    if (child.pid !== undefined) writeFileSync(pidFile(this.info), `${child.pid}`)
  }

  kill(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  /** SIGTERM, and SIGKILL where that does not help. */
  async stop(): Promise<void> {
    this.kill('SIGTERM')
    const timer = setTimeout(() => this.kill('SIGKILL'), graceMs)
    await this.#exited
    clearTimeout(timer)
  }

  /** The last lines of the log. */
  lastLines(count = 15): string {
    const { size } = statSync(this.log)
    return readFileSync(this.log, 'utf8')
      .slice(-Math.min(size, 20_000))
      .trimEnd()
      .split('\n')
      .slice(-count)
      .join('\n')
  }
}

const pidFile = ({ home }: NodeInfo): string => join(home, 'node.pid')

/** Ends a node that a killed local network has left behind. Its CometBFT ends with it or at its next start. */
export async function endLeftover(node: NodeInfo): Promise<boolean> {
  const pid = readPid(pidFile(node))
  if (pid === undefined || !runs(pid, node.home)) return false
  process.kill(pid, 'SIGTERM')
  const deadline = Date.now() + graceMs
  while (runs(pid, node.home)) {
    if (Date.now() > deadline) process.kill(pid, 'SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return true
}

function readPid(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined
  } catch {
    return undefined
  }
}

/** Whether the process of this number has `text` among its arguments. */
function runs(pid: number, text: string): boolean {
  try {
    process.kill(pid, 0)
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(text)
  } catch (error) {
    // Without /proc there is only the number to go by.
    return process.platform !== 'linux' && (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

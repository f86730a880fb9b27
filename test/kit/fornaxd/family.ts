import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { eventually } from '../eventually.ts'

/** A process whose descendants are known by it, whoever their parent is by now. */
export interface Family {
  readonly child: ChildProcess
  /**
   * What it ended with, once its descendants have too. All of them are killed where they live for 15 s on: then the
   * signal is SIGKILL, or this rejects.
   */
  ended(): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
}

/** Descendants inherit it. */
const MARK = 'FAMILY_OF_A_TEST'
const PATIENCE_MS = 15_000

/** Starts a process as from a terminal of its own: what is sent to it reaches it alone. All end with the tests. */
export function startFamily(command: string, args: readonly string[], options: SpawnOptions): Family {
  const mark = randomUUID()
  const env = { ...process.env, ...options.env, [MARK]: mark }
  const child = spawn(command, args, { ...options, env, detached: true })
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const killAll = (): void => {
    for (const pid of marked(mark)) kill(pid)
  }
  process.once('exit', killAll)
  return {
    child,
    async ended() {
      const late = setTimeout(killAll, PATIENCE_MS)
      await exit
      clearTimeout(late)
      await eventually('the end of its children', () => marked(mark).length === 0, PATIENCE_MS).finally(
        killAll,
      )
      process.off('exit', killAll)
      return { code: child.exitCode, signal: child.signalCode }
    },
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended in the meantime.
  }
}

function marked(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(`${MARK}=${mark}`))
    .map(Number)
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}

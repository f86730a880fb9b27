import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomically } from '../files.ts'

/** Another live process runs CometBFT in this home. */
export class HomeInUseError extends Error {
  override readonly name = 'HomeInUseError'
}

const pidPath = (home: string) => join(home, 'comet.pid')

/** Remembers the CometBFT that this process has started in `home`. */
export function rememberChild(home: string, pid: number): void {
  writeFileAtomically(pidPath(home), `${pid} ${process.pid}\n`)
}

export function forgetChild(home: string): void {
  rmSync(pidPath(home), { force: true })
}

/**
 * Ends the CometBFT that an earlier process left behind in `home`: SIGTERM, SIGKILL after `graceMs`. A process that
 * is no CometBFT with this home is left alone, whatever its number. Returns the pid of what was ended.
 * Throws HomeInUseError where the process that started it still lives.
 */
export async function endStaleChild(home: string, graceMs = 3000): Promise<number | undefined> {
  const [pid, parent] = readPids(home)
  if (pid === undefined || !runsCometIn(home, pid)) {
    forgetChild(home)
    return undefined
  }
  if (parent !== undefined && parent !== process.pid && parentOf(pid) === parent) {
    throw new HomeInUseError(`process ${parent} already runs CometBFT in ${home}`)
  }
  kill(pid, 'SIGTERM')
  const deadline = performance.now() + graceMs
  while (runsCometIn(home, pid) && performance.now() < deadline) await pause(50)
  if (runsCometIn(home, pid)) kill(pid, 'SIGKILL')
  while (runsCometIn(home, pid)) await pause(20)
  forgetChild(home)
  return pid
}

function readPids(home: string): number[] {
  try {
    const pids = readFileSync(pidPath(home), 'utf8').trim().split(' ').map(Number)
    return pids.every((pid) => Number.isSafeInteger(pid) && pid > 1) ? pids : []
  } catch {
    return []
  }
}

function runsCometIn(home: string, pid: number): boolean {
  const [program = '', ...args] = commandOf(pid)
  if (!program.includes('cometbft') || !args.includes('start')) return false
  const stated = args[args.indexOf('--home') + 1]
  return stated !== undefined && samePath(stated, home)
}

function commandOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean)
  } catch {
    if (process.platform === 'linux') return []
  }
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', `${pid}`], { encoding: 'utf8' })
      .trim()
      .split(/\s+/)
  } catch {
    return []
  }
}

function parentOf(pid: number): number | undefined {
  try {
    // The name in parentheses may itself hold spaces and parentheses; the parent is the second field after it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    if (process.platform === 'linux') return undefined
  }
  try {
    return Number(execFileSync('ps', ['-o', 'ppid=', '-p', `${pid}`], { encoding: 'utf8' }))
  } catch {
    return undefined
  }
}

function samePath(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other)
  } catch {
    return one === other
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended in the meantime.
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

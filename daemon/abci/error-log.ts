import type { AbciLog } from './handler.ts'
import type { MethodName } from './methods.ts'

const QUIET_MS = 10_000

/**
 * Logs throws of the application, for each method one line in ten seconds at most, with the number of those left
 * out: whoever can send a transaction that makes it throw shall not fill the disk.
 */
export function errorLog(log: AbciLog): (error: unknown, method: MethodName) => void {
  const last = new Map<MethodName, { at: number; leftOut: number }>()
  return (error, method) => {
    const now = performance.now()
    const before = last.get(method)
    if (before && now - before.at < QUIET_MS) {
      before.leftOut++
      return
    }
    const leftOut = before?.leftOut ?? 0
    last.set(method, { at: now, leftOut: 0 })
    log.error(
      { method, err: error, ...(leftOut > 0 ? { leftOut } : {}) },
      'the application threw in an abci call',
    )
  }
}

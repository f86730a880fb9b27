import type { Home } from '../config/home.ts'
import type { Config } from '../config/settings.ts'
import { onEndSignals } from '../end-signals.ts'
import { leave } from '../leave.ts'
import { type NodeLog, openLog } from '../log.ts'
import { Lifecycle } from '../node/lifecycle.ts'
import { startNode } from '../node/node.ts'
import { exitCodes } from './exit.ts'
import { failureOf } from './failure.ts'

/** How long everything may take to stop; those who have sent a SIGTERM commonly kill after 10 s. */
const STOP_MS = 8500
/** How long the reader of the log is waited for at the end. */
const FLUSH_MS = 500

/**
 * Runs a node until a signal, or until it cannot go on, and ends the process: within 10 s, with the reason as the log's
 * last line. Neither who reads the log nor a part that does not stop can delay that.
 */
export async function runNode(home: Home, config: Config): Promise<never> {
  const { log, output } = openLog(config.log)
  logWarnings(log)
  const parts = new Lifecycle(log)
  const { reached, fatal, refused } = endOf(log)
  startNode({ home, config, log, parts, onFatal: fatal }).catch(refused)
  const end = await reached
  if (end.cause) log[end.error ? 'error' : 'info']({ cause: end.cause }, 'the node stops')
  await Promise.race([parts.stop(), new Promise((resolve) => setTimeout(resolve, STOP_MS))])
  const left = parts.left.length > 0 ? ` (left without its end: ${parts.left.join(', ')})` : ''
  if (end.error) output.write(`${end.error}${left}\n`)
  else if (left) output.write(`Error: the node has stopped at ${end.cause}${left}\n`)
  else log.info({ cause: end.cause }, 'the node has stopped')
  await output.flush(FLUSH_MS)
  leave(left && end.exitCode === exitCodes.ok ? exitCodes.failure : end.exitCode)
}

interface End {
  /** Empty where the node had not started. */
  readonly cause: string
  /** The last message; nothing where all is well. */
  readonly error?: string
  readonly exitCode: number
}

interface EndOfNode {
  readonly reached: Promise<End>
  /** Told of an error after which nothing can be relied on. */
  readonly fatal: (error: unknown) => void
  /** Told of what the node does not start for. */
  readonly refused: (error: unknown) => void
}

/** Reached at a signal or an error, whichever comes first. A second signal ends the process at once. */
function endOf(log: NodeLog): EndOfNode {
  let reach: (end: End) => void = () => {}
  const reached = new Promise<End>((resolve) => {
    reach = resolve
  })
  onEndSignals(
    (signal) => reach({ cause: signal, exitCode: exitCodes.ok }),
    (signal) => {
      log.warn({ signal }, 'a second signal: the node ends at once')
      leave(exitCodes.failure)
    },
  )
  const fatal = (error: unknown): void => {
    log.error({ err: error }, 'the node cannot go on')
    const cause = error instanceof Error ? error.message : String(error)
    const told = `Error: the node has stopped after a fatal error: ${cause}`
    reach({ cause, error: told, exitCode: exitCodes.failure })
  }
  process.on('uncaughtException', fatal)
  process.on('unhandledRejection', fatal)
  const refused = (error: unknown): void => {
    const { reason, origin, exitCode } = failureOf(error)
    reach({ cause: '', error: `${origin}${reason.trimEnd()}`, exitCode })
  }
  return { reached, fatal, refused }
}

/** Node writes its warnings to standard error itself, and would wait there for a terminal that stands still. */
function logWarnings(log: NodeLog): void {
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn({ err: warning }, 'a warning of Node.js'))
  process.stderr.on('error', () => {})
}

import { execFile } from 'node:child_process'
import type { DebugLog } from '../../core/log.ts'
import { cometRpc } from '../client/rpc.ts'
import { type ChildEnd, CometChild } from './child.ts'
import { cleanEnvironment } from './environment.ts'
import { CometFailure, causeIn, isLasting } from './failure.ts'
import { readCometLine } from './log-lines.ts'
import { endStaleChild, forgetChild, rememberChild } from './pid-file.ts'
import { type Progress, ProgressWatch } from './watch.ts'

export type CometStatus =
  | { readonly state: 'started'; readonly pid: number }
  | { readonly state: 'progress'; readonly progress: Progress }
  /** The height that it replays or fetches blocks up to. */
  | { readonly state: 'target'; readonly height: number }
  /** `cause` says why: how it exited, or what it was stopped for. */
  | { readonly state: 'restarting'; readonly cause: string; readonly inMs: number }
  | { readonly state: 'stopped' }

export interface SupervisorOptions {
  readonly binary: string
  /** Holds `config/` and `data/`; prepared by writeCometConfig and ensureKeys. */
  readonly home: string
  /** CometBFT's RPC, `http://host:port`, for watching it. */
  readonly rpcUrl: string
  readonly log: DebugLog
  readonly onStatus?: (status: CometStatus) => void
  /** The application's committed height. Where given, the index of the last blocks is mended before each start. */
  readonly height?: () => number
  /** Whether the application refuses whatever is proposed, as a halted one does: CometBFT takes that for misbehaviour. */
  readonly refusesAll?: () => boolean
  /** Awaited before the first start, when nothing of an earlier CometBFT runs any more. */
  readonly beforeStart?: () => Promise<void>
  /** Told once where CometBFT is not started again: what it fails for lasts, or it fails again and again. */
  readonly onGivenUp?: (failure: CometFailure) => void
  /** From SIGTERM to SIGKILL; default 5 s. */
  readonly graceMs?: number
  /** How often progress is read; default 5 s. */
  readonly watchMs?: number
  /** How long nothing may move before the node counts as waiting; default 30 s. */
  readonly idleMs?: number
  /** How long a CometBFT that has answered may be silent before it is restarted; default 120 s. */
  readonly silentMs?: number
  /** The first pause after a failure, doubled with each further one up to a minute; default 1 s. */
  readonly backOffMs?: number
}

export interface CometSupervisor {
  /** The running child's pid. */
  readonly pid: number | undefined
  /** How often it was started again. */
  readonly restarts: number
  /** Ends CometBFT and restarts no more. Safe to call twice. The ABCI server is to be closed after this. */
  stop(): Promise<void>
}

const MAX_BACK_OFF_MS = 60_000
/** A child that ran this long had started well: the back-off begins anew. */
const HEALTHY_MS = 10_000
/** Failures in a row, none of which had started well, after which it is given up. */
const MAX_FAILURES = 6
/** The same for what a further start cannot mend; one more is tried, as a port may just be getting free. */
const MAX_LASTING_FAILURES = 2
/** Those who stop a node wait for 10 s, and for more than CometBFT. */
const GRACE_MS = 5000
/** How long a CometBFT without its application may take to end. */
const LEAVING_MS = 1000

/**
 * Runs CometBFT in `home` until `stop`: restarts it whenever it exits, at once where it stopped properly (its
 * connection to the application broke), with a growing pause else, and also when its consensus routine has
 * panicked or it has gone silent. It is given up where it fails six times in a row, or twice for what lasts. The ABCI server is to listen already. A CometBFT that an earlier, killed process
 * left in this home is ended first; rejects with HomeInUseError where that process lives.
 */
export async function superviseComet(options: SupervisorOptions): Promise<CometSupervisor> {
  const stale = await endStaleChild(options.home)
  if (stale !== undefined)
    options.log.warn({ pid: stale }, 'ended a CometBFT that an earlier process left behind')
  await options.beforeStart?.()
  return new Supervisor(options)
}

class Supervisor implements CometSupervisor {
  readonly #options: SupervisorOptions
  readonly #watchTimer: NodeJS.Timeout
  #child: CometChild | undefined
  readonly #mending = new AbortController()
  #exited: Promise<void> = Promise.resolve()
  #restartTimer: NodeJS.Timeout | undefined
  #watch: ProgressWatch | undefined
  #watching = false
  #lastKind = ''
  #failures = 0
  #lastingFailures = 0
  #startedAt = 0
  #killedFor: string | undefined
  #applicationLost = false
  #stopping: Promise<void> | undefined
  restarts = 0

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#watchTimer = setInterval(() => void this.#look(), options.watchMs ?? 5000)
    process.once('exit', this.#kill)
    this.#begin()
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    clearInterval(this.#watchTimer)
    clearTimeout(this.#restartTimer)
    this.#mending.abort()
    this.#end()
    await this.#exited
    process.off('exit', this.#kill)
    forgetChild(this.#options.home)
    this.#report({ state: 'stopped' })
  }

  #begin(): void {
    const { binary, home, log, height } = this.#options
    const tip = height?.() ?? 0
    if (tip === 0) {
      this.#start()
      return
    }
    this.#exited = mendIndex(binary, home, tip, this.#mending.signal).then((error) => {
      if (this.#stopping) return
      if (error !== undefined) log.warn({ error }, 'the index of the last blocks could not be checked')
      this.#start()
    })
  }

  #start(): void {
    const { binary, home, log, rpcUrl, idleMs = 30_000 } = this.#options
    const child = new CometChild({
      binary,
      home,
      onLine: (line) => this.#fold(line),
      onUnguarded: (err) => log.warn({ err }, 'nothing watches over CometBFT'),
    })
    this.#child = child
    this.#startedAt = performance.now()
    this.#killedFor = undefined
    this.#applicationLost = false
    this.#lastKind = ''
    this.#watch = new ProgressWatch(cometRpc(rpcUrl, { timeoutMs: 5000 }), idleMs)
    this.#exited = child.ended.then((end) => this.#childEnded(child, end))
    if (child.pid === undefined) return
    log.info({ pid: child.pid }, 'CometBFT started')
    try {
      rememberChild(home, child.pid)
    } catch (err) {
      log.warn(
        { err },
        'should the node and its shell be killed, its next start will not know of this CometBFT',
      )
    }
    this.#report({ state: 'started', pid: child.pid })
  }

  #childEnded({ lastLines: lines }: CometChild, { code, signal, error }: ChildEnd): void {
    const { log, binary } = this.#options
    if (error) {
      log.error({ err: error, binary }, 'CometBFT cannot be started')
      this.#ended(`cannot be started: ${error.message}`, false)
      return
    }
    const proper = this.#applicationLost || (code === 0 && this.#killedFor === undefined)
    const told = proper ? undefined : causeIn(lines)
    if (!proper && !this.#stopping) log.error({ lines }, 'last lines of CometBFT')
    const cause = this.#causeOf(code, signal)
    this.#ended(told === undefined ? cause : `${cause}: ${told}`, proper)
  }

  #fold(line: string): void {
    const { level, message, fields, event, target } = readCometLine(line)
    const isExpected = event === 'proposal rejected' && this.#options.refusesAll?.() === true
    this.#options.log[isExpected ? 'debug' : level](fields, message)
    if (target !== undefined) this.#report({ state: 'target', height: target })
    if (event === 'panicked') this.#restartFor('its consensus routine has panicked')
    else if (event === 'application lost') this.#lostApplication()
  }

  /** It ends by itself within milliseconds, or never. */
  #lostApplication(): void {
    const child = this.#child
    if (this.#applicationLost || !child) return
    this.#applicationLost = true
    const timer = setTimeout(() => child.kill(), LEAVING_MS)
    void child.ended.then(() => clearTimeout(timer))
  }

  /** Ends a child that lives but does not work; what follows is the same as after an exit of its own. */
  #restartFor(cause: string): void {
    if (this.#killedFor !== undefined || this.#applicationLost || this.#stopping) return
    this.#killedFor = cause
    this.#options.log.error({ cause }, 'CometBFT does not work: restarting it')
    this.#end()
  }

  #end(): void {
    this.#child?.end(this.#options.graceMs ?? GRACE_MS)
  }

  /** Whatever is left of CometBFT ends with this process, however that was brought about. */
  readonly #kill = (): void => {
    this.#mending.abort()
    this.#child?.kill()
  }

  #causeOf(code: number | null, signal: NodeJS.Signals | null): string {
    // Losing the application in a block makes the consensus routine panic too.
    if (this.#applicationLost) return 'its connection to the application broke'
    if (this.#killedFor !== undefined) return this.#killedFor
    return signal ? `ended by ${signal}` : `exited with code ${code}`
  }

  #ended(cause: string, proper: boolean): void {
    this.#child = undefined
    if (this.#stopping) return
    const ranMs = performance.now() - this.#startedAt
    if (ranMs > HEALTHY_MS) {
      this.#failures = 0
      this.#lastingFailures = 0
    }
    const { backOffMs = 1000, log } = this.#options
    const inMs =
      proper && this.#failures === 0 ? 0 : Math.min(backOffMs * 2 ** this.#failures, MAX_BACK_OFF_MS)
    // A proper exit right after the start counts too: an application that always breaks off must not make it spin.
    if (!proper || ranMs < 5000) this.#failures++
    if (!proper && isLasting(cause)) this.#lastingFailures++
    if (this.#failures >= MAX_FAILURES || this.#lastingFailures >= MAX_LASTING_FAILURES) {
      this.#giveUp(cause)
      return
    }
    log.warn({ cause, inMs, ranSeconds: Math.round(ranMs / 1000) }, 'CometBFT ended: restarting it')
    this.#report({ state: 'restarting', cause, inMs })
    this.#restartTimer = setTimeout(() => {
      this.restarts++
      this.#begin()
    }, inMs)
  }

  #giveUp(cause: string): void {
    const { log, onGivenUp } = this.#options
    const times = this.#failures === 1 ? 'once' : `${this.#failures} times in a row`
    log.error({ cause }, 'CometBFT is given up')
    onGivenUp?.(new CometFailure(`CometBFT has failed ${times}, and is not started again: it ${cause}`))
  }

  async #look(): Promise<void> {
    if (this.#watching || this.#stopping || !this.#child || !this.#watch) return
    this.#watching = true
    const watch = this.#watch
    const progress = await watch.read()
    this.#watching = false
    if (watch !== this.#watch || this.#stopping) return
    this.#report({ state: 'progress', progress })
    if (progress.kind !== this.#lastKind) {
      this.#lastKind = progress.kind
      const unwell = progress.kind === 'halted' || progress.kind === 'waiting' || progress.kind === 'silent'
      const why = progress.kind === 'waiting' ? ': more than two thirds of the power must vote' : ''
      this.#options.log[unwell ? 'warn' : 'info']({ ...progress }, `CometBFT is ${progress.kind}${why}`)
    }
    const { silentMs = 120_000 } = this.#options
    if (progress.kind === 'silent' && progress.seconds * 1000 > silentMs) {
      this.#restartFor(`it has not answered for ${Math.round(progress.seconds)} s`)
    }
  }

  #report(status: CometStatus): void {
    this.#options.onStatus?.(status)
  }
}

/** More blocks than CometBFT's indexer can be behind. */
const MENDED_BLOCKS = 10

/**
 * Indexes the transactions of the last blocks again: CometBFT does so beside its commits, and never makes up for what
 * it had not yet indexed when it was killed. Answers what went wrong.
 */
function mendIndex(
  binary: string,
  home: string,
  height: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const from = Math.max(1, height - MENDED_BLOCKS)
  const args = ['reindex-event', '--home', home, '--start-height', `${from}`]
  return new Promise((resolve) => {
    const options = { env: cleanEnvironment(), timeout: 30_000, killSignal: 'SIGKILL', signal } as const
    execFile(binary, args, options, (error, stdout) => {
      if (error) resolve(error.message)
      else resolve(/re-index failed: *(.*)/.exec(stdout)?.[1])
    })
  })
}

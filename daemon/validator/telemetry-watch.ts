import type { Context } from '../../core/context.ts'
import type { Log } from '../../core/log.ts'
import { params as agentParams } from '../../modules/agents/api.ts'
import {
  blocksSinceJoining,
  params as classifierParams,
  recordOf,
  telemetryOf,
} from '../../modules/classifier/api.ts'
import type { Agent } from './agent-signer.ts'

export const FAULTS = ['cpu', 'latency', 'clock', 'stale'] as const
export type Fault = (typeof FAULTS)[number]

/** A fault in what the chain is told of a host, and what to do about it. */
export interface Finding {
  readonly fault: Fault
  readonly what: string
  readonly remedy: string
}

export interface TelemetryStatus {
  /** The validator whose agent key this node holds. */
  readonly validator: string | undefined
  /** The block that was looked at last. */
  readonly height: bigint
  /** The telemetry that the chain holds. */
  readonly last:
    | {
        readonly height: bigint
        readonly cpuPct: number
        readonly latencyMs: number
        readonly connections: number
        readonly netContrib: number
      }
    | undefined
  /** This node's clock less the last block's time. */
  readonly clockMs: number | undefined
  readonly findings: readonly Finding[]
}

const NOTHING_SEEN: TelemetryStatus = {
  validator: undefined,
  height: 0n,
  last: undefined,
  clockMs: undefined,
  findings: [],
}
/** `fornaxd` gives up a connection after 2 s, so it never tells of one that took longer. */
const LONGEST_LATENCY_MS = 2_000

/**
 * Looks at what the chain is told of this validator's host, whoever tells it, for what cannot be: other units than the
 * chain's, or a clock that is not the chain's. Each fault is a line in the log as it comes, and as it goes.
 */
export class TelemetryWatch {
  readonly #log: Log
  readonly #now: () => number
  #status = NOTHING_SEEN
  /** A chain that goes on after a standstill has one block with a time of before: two in a row tell of a clock. */
  #wasApart = false
  /** Clocks at the block before, in milliseconds: the chain's, and this node's less the chain's. */
  #before: Clocks | undefined

  /** `now` in milliseconds since 1970. */
  constructor(log: Log, now: () => number = Date.now) {
    this.#log = log
    this.#now = now
  }

  get status(): TelemetryStatus {
    return this.#status
  }

  /** To be called with the last committed state by a node that keeps up with the chain. */
  look(ctx: Context, agent: Agent | undefined): void {
    if (agent === undefined) {
      this.#status = { ...NOTHING_SEEN, height: ctx.height }
      return
    }
    const chainMs = Number(ctx.timeNs / 1_000_000n)
    const clockMs = this.#now() - chainMs
    const findings = [
      ...hostFindings(ctx, agent),
      ...this.#clockFindings(chainMs, clockMs, classifierParams(ctx).maxClockDrift * 1_000),
    ]
    this.#tell(findings)
    const telemetry = telemetryOf(ctx, agent.operator)
    const last = telemetry && {
      height: telemetry.height,
      cpuPct: telemetry.cpu / 100,
      latencyMs: telemetry.latencyUs / 1_000,
      connections: telemetry.connections,
      netContrib: Number(telemetry.netContrib) / 1_000,
    }
    this.#status = { validator: agent.name, height: ctx.height, last, clockMs, findings }
  }

  #clockFindings(chainMs: number, clockMs: number, maxDriftMs: number): Finding[] {
    const wasFound = this.#status.findings.some(({ fault }) => fault === 'clock')
    const isCatchingUp = this.#before !== undefined && catchesUp(this.#before, { chainMs, clockMs })
    this.#before = { chainMs, clockMs }
    const isApart = Math.abs(clockMs) > maxDriftMs
    const isFound = isApart && (wasFound || (this.#wasApart && !isCatchingUp))
    this.#wasApart = isApart && !isCatchingUp
    return isFound ? [clockFinding(clockMs)] : []
  }

  #tell(findings: readonly Finding[]): void {
    const before = new Set(this.#status.findings.map(({ fault }) => fault))
    for (const { fault, what, remedy } of findings)
      if (!before.delete(fault)) this.#log.warn({ fault, remedy }, `telemetry: ${what}`)
    for (const fault of before) this.#log.info({ fault }, 'telemetry: this fault is gone')
  }
}

interface Clocks {
  readonly chainMs: number
  readonly clockMs: number
}

/**
 * Whether blocks come more than twice as fast as their times go: those of a node that was away, whose clock seems to be
 * ahead of the chain's until it is in step.
 */
const catchesUp = (before: Clocks, now: Clocks): boolean =>
  now.clockMs > 0 && 2 * (before.clockMs - now.clockMs) > now.chainMs - before.chainMs

function hostFindings(ctx: Context, { operator }: Agent): Finding[] {
  const telemetry = telemetryOf(ctx, operator)
  if (telemetry === undefined) return []
  const { overloadCpu, overloadLatencyMs, staleBlocks } = agentParams(ctx)
  const findings: Finding[] = []
  if (telemetry.cpu >= overloadCpu)
    findings.push({
      fault: 'cpu',
      what: `the chain is told that the processors are busy at ${telemetry.cpu / 100} %, which is Overload`,
      remedy:
        'cpu_pct is of all processors together, 0 to 100: divide a sum of cores by their number; a host that is so busy needs more processors',
    })
  const latencyMs = telemetry.latencyUs / 1_000
  if (latencyMs >= Math.min(LONGEST_LATENCY_MS, overloadLatencyMs))
    findings.push({
      fault: 'latency',
      what: `the chain is told of a latency of ${latencyMs} ms, longer than any connection takes`,
      remedy: 'latency_ms is in milliseconds: divide microseconds by 1,000; else see to the network',
    })
  // Of who is not in the set, or has just come to it, the chain expects none.
  const record = recordOf(ctx, operator)
  const told = Number(ctx.height - telemetry.height)
  const age = record?.leftAt === 0n ? Math.min(told, blocksSinceJoining(ctx, record)) : 0
  if (2 * age >= staleBlocks)
    findings.push({
      fault: 'stale',
      what: `the last telemetry in a block is ${age} blocks old, and StaleTelemetry from ${staleBlocks} on`,
      remedy:
        'see why none comes: agents.telemetry is off, the node does not vote, or its log says that the agents failed',
    })
  return findings
}

const clockFinding = (clockMs: number): Finding => ({
  fault: 'clock',
  what: `this host's clock is ${Math.abs(clockMs / 1_000).toFixed(0)} s ${clockMs > 0 ? 'ahead of' : 'behind'} the chain's time: its votes tell a wrong time, and transactions of telemetry are refused`,
  remedy: 'synchronise the clock (chrony, systemd-timesyncd), and look whether blocks take that long',
})

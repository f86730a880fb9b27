import { connect, isIP } from 'node:net'
import { cpus } from 'node:os'
import type { TelemetryBody } from '../../modules/classifier/api.ts'
import type { CometRpc, PeerJson } from '../client/rpc.ts'

export type HostTelemetry = Omit<TelemetryBody, 'node'>

const CPU_MS = 30_000
const PEERS_MS = 10_000
const LATENCY_MS = 30_000
const PROBED_PEERS = 8
const PROBE_TIMEOUT_MS = 2_000
/** Where peers are there but none can be reached: what the chain takes those to have that say nothing. */
const UNKNOWN_LATENCY_MS = 100

/**
 * Samples a host's telemetry. cpu_pct: all processors, over the last half minute. connections: CometBFT's peers, read
 * at most every 10 s. net_contrib: thousand bytes a second that CometBFT sent and received over its peers' connections
 * between two such readings. latency_ms: the median time of a TCP connection to up to 8 peers, taken at most every 30 s;
 * 0 where there are no peers, 100 where none can be reached.
 */
export class HostSampler {
  readonly #rpc: Pick<CometRpc, 'peers'>
  readonly #probe: (peer: PeerJson) => Promise<number | undefined>
  readonly #cpuTimes: () => CpuTimes
  /** Readings of the last half minute and one before them, by their times. */
  readonly #cpu: (readonly [at: number, times: CpuTimes])[] = []
  #readAt = Number.NEGATIVE_INFINITY
  #peers: readonly PeerJson[] = []
  #netContrib = 0
  #probedAt = Number.NEGATIVE_INFINITY
  #latencyMs = 0

  /** `probe` answers the milliseconds to a peer; `cpu` the time that all processors have spent since some beginning. */
  constructor(
    rpc: Pick<CometRpc, 'peers'>,
    probe: (peer: PeerJson) => Promise<number | undefined> = connectTime,
    cpu: () => CpuTimes = cpuTimes,
  ) {
    this.#rpc = rpc
    this.#probe = probe
    this.#cpuTimes = cpu
    this.#cpu.push([performance.now(), cpu()])
  }

  /** Rejects with RpcError or RpcUnavailable. */
  async sample(now = performance.now()): Promise<HostTelemetry> {
    const cpuPct = this.#readCpu(now)
    if (now - this.#readAt >= PEERS_MS) await this.#readPeers(now)
    const hasFirstPeers = this.#latencyMs === 0 && this.#peers.length > 0
    if (hasFirstPeers || now - this.#probedAt >= LATENCY_MS) await this.#readLatency(now)
    return {
      cpu_pct: rounded(cpuPct),
      latency_ms: rounded(this.#latencyMs),
      connections: this.#peers.length,
      net_contrib: rounded(this.#netContrib),
    }
  }

  #readCpu(now: number): number {
    const readings = this.#cpu
    const last = this.#cpuTimes()
    while (readings.length > 1 && now - readings[1]![0] >= CPU_MS) readings.shift()
    const [, first] = readings[0]!
    readings.push([now, last])
    const passed = last.total - first.total
    return passed <= 0 ? 0 : Math.min(100, Math.max(0, (100 * (last.busy - first.busy)) / passed))
  }

  async #readPeers(now: number): Promise<void> {
    const peers = await this.#rpc.peers()
    this.#netContrib = Math.min(1e9, flowOf(peers, this.#peers, (now - this.#readAt) / 1000) / 1000)
    this.#peers = peers
    this.#readAt = now
  }

  async #readLatency(now: number): Promise<void> {
    const chosen = someOf(this.#peers, PROBED_PEERS)
    const times = (await Promise.all(chosen.map(this.#probe))).filter((ms) => ms !== undefined)
    this.#latencyMs = chosen.length === 0 ? 0 : Math.min(60_000, median(times) ?? UNKNOWN_LATENCY_MS)
    this.#probedAt = now
  }
}

const rounded = (value: number): number => Math.round(value * 100) / 100

interface CpuTimes {
  readonly busy: number
  readonly total: number
}

function cpuTimes(): CpuTimes {
  let idle = 0
  let total = 0
  for (const { times } of cpus()) {
    idle += times.idle
    total += times.user + times.nice + times.sys + times.idle + times.irq
  }
  return { busy: total - idle, total }
}

/** Bytes a second of all connections, both ways, since the reading before; of a new one, since it began. */
function flowOf(peers: readonly PeerJson[], before: readonly PeerJson[], seconds: number): number {
  const known = new Map(before.map((peer) => [peer.node_info.id, peer]))
  let flow = 0
  for (const { node_info, connection_status: now } of peers) {
    const then = known.get(node_info.id)?.connection_status
    for (const way of ['SendMonitor', 'RecvMonitor'] as const) {
      const sameConnection = then !== undefined && then[way].Start === now[way].Start
      flow += sameConnection
        ? Math.max(0, Number(now[way].Bytes) - Number(then[way].Bytes)) / seconds
        : Number(now[way].AvgRate)
    }
  }
  return Number.isFinite(flow) ? flow : 0
}

function someOf<T>(values: readonly T[], count: number): T[] {
  const rest = [...values]
  const chosen: T[] = []
  while (chosen.length < count && rest.length > 0)
    chosen.push(...rest.splice(Math.floor(Math.random() * rest.length), 1))
  return chosen
}

function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1]
}

/** Milliseconds until a peer's host has answered a TCP connection to its p2p port, be it with a refusal. */
function connectTime({ remote_ip, node_info }: PeerJson): Promise<number | undefined> {
  const port = Number(/:(\d{1,5})$/.exec(node_info.listen_addr)?.[1])
  if (isIP(remote_ip) === 0 || !(port >= 1 && port <= 65_535)) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const begin = performance.now()
    const socket = connect({ host: remote_ip, port, timeout: PROBE_TIMEOUT_MS })
    const end = (ms: number | undefined): void => {
      socket.destroy()
      resolve(ms)
    }
    socket.once('connect', () => end(performance.now() - begin))
    socket.once('timeout', () => end(undefined))
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      end(code === 'ECONNREFUSED' ? performance.now() - begin : undefined),
    )
  })
}

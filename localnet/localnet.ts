import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cometRpc } from '../daemon/client/rpc.ts'
import { locateComet } from '../daemon/comet/binary.ts'
import { defaultConfig, renderConfig, withSettings } from '../daemon/config/file.ts'
import { homeLayout } from '../daemon/config/home.ts'
import { writeFileAtomically } from '../daemon/files.ts'
import type { JsonObject } from '../genesis/document.ts'
import {
  type LocalnetInfo,
  type NodeInfo,
  nodeIdOf,
  nodeInfo,
  portsOfNode,
  readInfo,
  writeInfo,
} from './info.ts'
import { initialise } from './initialise.ts'
import { endLeftover, NodeProcess } from './node-process.ts'
import { choosePorts } from './ports.ts'

/** Told of each step; `done` with what came of it. */
export interface Progress {
  begin(step: string): void
  done(result?: string): void
  note(line: string): void
}

export interface LocalnetOptions {
  /** Where everything lies; made where it is missing. */
  readonly folder: string
  /** Default 4, or what is there already. */
  readonly validators?: number
  /** Such as `5s` (default, or what it was before) or `500ms`. */
  readonly slotTime?: string
  readonly chainId?: string
  /** Sections of a new chain's `app_state`, laid over the modules' defaults. */
  readonly appState?: JsonObject
  /** Any free ports instead of the well-known ones: for tests, which may run beside others. */
  readonly anyPorts?: boolean
  /** Settings over the local network's own, as `[['log.level', 'debug']]`. */
  readonly settings?: readonly (readonly [string, string])[]
  readonly progress?: Progress
  /** Gives up the start: what runs is stopped, and the start rejects. */
  readonly signal?: AbortSignal
}

/** A failure to start or to go on; the message says what to do. */
export class LocalnetError extends Error {
  override readonly name = 'LocalnetError'
}

/** A running local network. */
export interface Localnet {
  readonly info: LocalnetInfo
  readonly nodes: readonly NodeProcess[]
  /** Settles with the first node that ends without having been told to. */
  readonly lost: Promise<NodeProcess>
  /** Sends a signal to a node and waits for its end where that is what the signal brings about. */
  kill(index: number, signal: NodeJS.Signals): Promise<void>
  /** Starts a node that has ended. */
  restart(index: number): void
  /** Waits until the nodes given (default all) have this height. Rejects with LocalnetError after `timeoutMs`. */
  reach(height: number, options?: { nodes?: readonly number[]; timeoutMs?: number }): Promise<void>
  /** Stops every node. Safe to call twice. */
  stop(): Promise<void>
}

const silent: Progress = { begin: () => {}, done: () => {}, note: () => {} }

/** Starts a local network, or starts it again where it was. Resolves when every node has made a further block. */
export async function startLocalnet(options: LocalnetOptions): Promise<Localnet> {
  const { progress = silent, signal = new AbortController().signal } = options
  const folder = resolve(options.folder)
  refuseTwice(folder)
  progress.begin('Looking for CometBFT')
  process.env['FORNAX_COMETBFT'] ??= await locateComet({ progress: progress.note, signal })
  progress.done()

  const info = await prepare(folder, options, progress)
  signal.throwIfAborted()
  writeFileSync(lockFile(folder), `${process.pid} ${startOf(process.pid)}`)
  const net = new RunningLocalnet(folder, info)
  progress.begin(`Starting ${info.nodes.length === 1 ? '1 node' : `${info.nodes.length} nodes`}`)
  try {
    net.startAll()
    const lost = Promise.race([
      net.lost.then(refuseLost),
      aborted(signal).then(() => signal.throwIfAborted()),
    ])
    await Promise.race([net.reach(0), lost])
    progress.done()
    progress.begin('Waiting for a block')
    const from = (await heightOf(info.nodes[0]!)) ?? 0
    await Promise.race([net.reach(from + 1), lost])
    await Promise.race([net.settle(), lost])
    progress.done(`height ${from + 1}`)
  } catch (error) {
    await net.stop()
    throw error
  }
  return net
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}

const lockFile = (folder: string): string => join(folder, 'localnet.pid')

function refuseTwice(folder: string): void {
  const [pid, started] = readLock(lockFile(folder))
  if (pid !== undefined && pid !== process.pid && started !== '' && started === startOf(pid))
    throw new LocalnetError(`the local network in ${folder} runs already, as process ${pid}: stop that first`)
}

function readLock(file: string): [pid: number | undefined, started: string] {
  try {
    const [pid, started = ''] = readFileSync(file, 'utf8').split(' ')
    return [Number(pid), started]
  } catch {
    return [undefined, '']
  }
}

/** When a process began, so that another of the same number is not taken for it; empty where there is none. */
function startOf(pid: number): string {
  try {
    process.kill(pid, 0)
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'unknown' : ''
  }
}

function refuseLost(node: NodeProcess): never {
  throw new LocalnetError(
    `${node.info.name} has ended; the last lines of ${node.log}:\n\n${node.lastLines()}`,
  )
}

/** The network's facts and files: made or found, with ports that are free now. */
async function prepare(folder: string, options: LocalnetOptions, progress: Progress): Promise<LocalnetInfo> {
  let found = readInfo(folder)
  if (!found && existsSync(folder))
    throw new LocalnetError(
      `${folder} is there but holds no local network: remove it, or make localnet-clean`,
    )
  if (found && options.validators !== undefined && options.validators !== found.nodes.length)
    throw new LocalnetError(
      `the local network has ${found.nodes.length} validators: make localnet-clean first to have ${options.validators}`,
    )
  const slotTime = options.slotTime ?? found?.slot_time ?? '5s'
  if (!found) {
    const validators = options.validators ?? 4
    if (!Number.isInteger(validators) || validators < 1 || validators > 50)
      throw new LocalnetError(`a local network has 1 to 50 validators, not ${validators}`)
    // A malformed slot time is to be said before anything is made.
    withSettings(defaultConfig(), [['slot_time', slotTime]], 'SLOT')
    progress.begin(
      `Making keys and genesis for ${validators === 1 ? '1 validator' : `${validators} validators`}`,
    )
    const { chainId, appState = {} } = options
    found = await initialise({
      folder,
      validators,
      slotTime,
      appState,
      ...(chainId !== undefined && { chainId }),
    })
    progress.done()
  }
  for (const node of found.nodes)
    if (await endLeftover(node))
      progress.note(`ended ${node.name}, left behind by a local network that was killed`)
  const { ports, replaced } = await choosePorts(found.nodes.map(portsOfNode), {
    anyFree: options.anyPorts === true,
  })
  if (replaced.length > 0) progress.note(`these ports are taken, others are used: ${replaced.join(', ')}`)
  const nodes = found.nodes.map((node, i) => nodeInfo({ ...node, nodeId: nodeIdOf(node) }, ports[i]!))
  const info = { ...found, slot_time: slotTime, nodes }
  writeInfo(folder, info)
  for (const node of nodes) writeSettings(node, info, options.settings ?? [])
  return info
}

function writeSettings(
  node: NodeInfo,
  info: LocalnetInfo,
  more: readonly (readonly [string, string])[],
): void {
  const ports = portsOfNode(node)
  const at = (port: number): string => `127.0.0.1:${port}`
  const peers = info.nodes.filter((n) => n !== node).map((n) => n.p2p)
  const settings: (readonly [string, string])[] = [
    ['moniker', node.name],
    ['slot_time', info.slot_time],
    ['comet.rpc_address', at(ports.rpc)],
    ['comet.p2p_address', at(ports.p2p)],
    ['comet.persistent_peers', peers.join(',')],
    ['comet.private_network', 'true'],
    ['rest.address', at(ports.rest)],
    ['rest.cors_origins', '*'],
    ['rest.loopback_key', info.accounts[0]?.name ?? ''],
    ['jsonrpc.address', at(ports.jsonrpc)],
    ['jsonrpc.cors_origins', '*'],
    ['metrics.address', at(ports.metrics)],
    ['keyring.backend', 'test'],
    ['faucet.enabled', 'true'],
    ['faucet.key', info.accounts.at(-1)?.name ?? ''],
    ...more,
  ]
  const config = withSettings(defaultConfig(), settings, 'the local network')
  writeFileAtomically(homeLayout(node.home).appToml, renderConfig(config))
}

/** The height a node is at; undefined where it does not answer. */
export async function heightOf({ rpc }: NodeInfo): Promise<number | undefined> {
  try {
    return Number((await cometRpc(rpc, { timeoutMs: 2000 }).status()).sync_info.latest_block_height)
  } catch {
    return undefined
  }
}

class RunningLocalnet implements Localnet {
  readonly info: LocalnetInfo
  readonly nodes: readonly NodeProcess[]
  readonly lost: Promise<NodeProcess>
  readonly #folder: string
  readonly #told = new Set<NodeProcess>()
  #lose: (node: NodeProcess) => void = () => {}
  #stopping: Promise<void> | undefined

  constructor(folder: string, info: LocalnetInfo) {
    this.#folder = folder
    this.info = info
    this.nodes = info.nodes.map((n) => new NodeProcess(n))
    this.lost = new Promise((resolve) => {
      this.#lose = resolve
    })
  }

  startAll(): void {
    process.once('exit', this.#killAll)
    for (const [i] of this.nodes.entries()) this.restart(i)
  }

  restart(index: number): void {
    const node = this.#node(index)
    this.#told.delete(node)
    node.start()
    void node.exited.then(() => {
      if (!this.#told.has(node)) this.#lose(node)
    })
  }

  async kill(index: number, signal: NodeJS.Signals): Promise<void> {
    const node = this.#node(index)
    if (signal === 'SIGSTOP' || signal === 'SIGCONT') {
      node.kill(signal)
      return
    }
    this.#told.add(node)
    node.kill(signal)
    await node.exited
  }

  async reach(
    height: number,
    {
      nodes = this.nodes.map((_, i) => i),
      timeoutMs = 120_000,
    }: { nodes?: readonly number[]; timeoutMs?: number } = {},
  ): Promise<void> {
    const deadline = Date.now() + timeoutMs
    for (const index of nodes) {
      const { info } = this.#node(index)
      for (let at = await heightOf(info); (at ?? -1) < height; at = await heightOf(info)) {
        if (this.#stopping) return
        if (Date.now() > deadline)
          throw new LocalnetError(
            at === undefined
              ? `${info.name} does not answer after ${timeoutMs / 1000} s: see ${this.#node(index).log}`
              : `${info.name} is at height ${at} and has not reached ${height} within ${timeoutMs / 1000} s`,
          )
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
  }

  /** Waits until every node answers from what its blocks left; one that does not in time is left to say why itself. */
  async settle(timeoutMs = 10_000): Promise<void> {
    const deadline = Date.now() + timeoutMs
    const isReady = ({ info }: NodeProcess): Promise<boolean> =>
      fetch(`${info.rest}/ready`).then(
        async (answer) => (await answer.text()) !== '' && answer.ok,
        () => false,
      )
    for (const node of this.nodes)
      while (!this.#stopping && Date.now() < deadline && !(await isReady(node)))
        await new Promise((resolve) => setTimeout(resolve, 50))
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    for (const node of this.nodes) this.#told.add(node)
    await Promise.all(this.nodes.map((n) => n.stop()))
    process.off('exit', this.#killAll)
    rmSync(lockFile(this.#folder), { force: true })
  }

  /** The nodes have process groups of their own: nothing else would end them with this process. */
  readonly #killAll = (): void => {
    for (const node of this.nodes) node.kill('SIGKILL')
  }

  #node(index: number): NodeProcess {
    const node = this.nodes[index]
    if (!node) throw new RangeError(`there is no node ${index}`)
    return node
  }
}

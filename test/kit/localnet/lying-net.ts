import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { SigningStargateClient } from '@cosmjs/stargate'
import { heightOf, type LocalnetOptions } from '../../../localnet/localnet.ts'
import { eventually } from '../eventually.ts'
import { walletOf } from './accounts.ts'
import { type TestLocalnet, testLocalnet } from './localnet.ts'
import { type Lie, lieFile } from './lying.ts'

const run = promisify(execFile)
const fornaxd = fileURLToPath(new URL('../../../daemon/main.js', import.meta.url))
const lying = pathToFileURL(fileURLToPath(new URL('./lying.js', import.meta.url))).href

/** Nodes started from now on read what they are to lie about, or that their engine is dead. Returns what ends that. */
export function loadLying(): () => void {
  const before = process.env['NODE_OPTIONS']
  process.env['NODE_OPTIONS'] = `${before ?? ''} --import ${lying}`
  return () => {
    if (before === undefined) delete process.env['NODE_OPTIONS']
    else process.env['NODE_OPTIONS'] = before
  }
}

/** Rounds without a commit that halt the chain. */
export const STREAK = 3

/** Rounds of a lie that ends when a test says so: where a machine is slow a block may lack a liar's vote, and the streak begins anew. */
export const ON_AND_ON = 1_000

/** What `fornaxd halt` answers. */
export interface HaltStatus {
  readonly halted: boolean
  readonly halt_height: string | null
  readonly cleared_height: string | null
  readonly committed_height: string
}

export interface LyingOptions extends Partial<LocalnetOptions> {
  /** Indices of the nodes that lie. */
  readonly liars: readonly number[]
  /** Index of the node about whose score they do. */
  readonly about: number
}

/** A local network some of whose validators lie about a score when a test says so. */
export class LyingNet {
  readonly net: TestLocalnet
  /** Signs for the first development account. */
  readonly client: SigningStargateClient
  readonly alice: string
  /** The first height that the last lie told of withholds, or has withheld where it came to a halt. */
  firstWithheld = 0
  readonly #options: LyingOptions
  readonly #unload: () => void

  private constructor(
    net: TestLocalnet,
    client: SigningStargateClient,
    options: LyingOptions,
    unload: () => void,
  ) {
    this.net = net
    this.client = client
    this.alice = net.info.accounts[0]!.address
    this.#options = options
    this.#unload = unload
  }

  static async start(options: LyingOptions): Promise<LyingNet> {
    const unload = loadLying()
    const { liars: _, about: __, ...localnet } = options
    const net = await testLocalnet(localnet).catch((error: unknown) => {
      unload()
      throw error
    })
    const wallet = await walletOf(net.info.accounts[0]!)
    const client = await SigningStargateClient.connectWithSigner(net.info.nodes[0]!.rpc, wallet, {
      broadcastPollIntervalMs: 100,
    })
    return new LyingNet(net, client, options, unload)
  }

  async remove(): Promise<void> {
    this.#unload()
    this.client.disconnect()
    await this.net.remove()
  }

  get<T>(i: number, path: string): Promise<T> {
    return json(this.net.info.nodes[i]!.rest + path)
  }

  async rpc<T>(i: number, path: string): Promise<T> {
    return (await json<{ result: T }>(`${this.net.info.nodes[i]!.rpc}/${path}`)).result
  }

  /** The last decided height; 0 where the node does not answer. */
  async height(i: number): Promise<number> {
    return (await heightOf(this.net.info.nodes[i]!)) ?? 0
  }

  /** The last committed height; 0 where the node does not answer. */
  appHeight(i: number): Promise<number> {
    return this.rpc<{ response: { last_block_height?: string } }>(i, 'abci_info').then(
      ({ response }) => Number(response.last_block_height ?? 0),
      () => 0,
    )
  }

  /** `ready`, `down`, or the code of why it is not ready. */
  readiness(i: number): Promise<string> {
    return this.get<{ error?: { code: string } }>(i, '/ready').then(
      ({ error }) => error?.code ?? 'ready',
      () => 'down',
    )
  }

  readonly isHalted = async (i: number): Promise<boolean> => (await this.readiness(i)) === 'halted'

  async all(holds: (i: number) => Promise<boolean>): Promise<boolean> {
    const each = this.net.nodes.map((_, i) => holds(i).catch(() => false))
    return (await Promise.all(each)).every(Boolean)
  }

  /** `fornaxd halt` for a node that is stopped. */
  async halt(i: number, command: 'status' | 'clear'): Promise<HaltStatus> {
    const { home } = this.net.info.nodes[i]!
    const args = ['halt', command, '--home', home, '--output', 'json']
    const { stdout } = await run(process.execPath, [fornaxd, ...args])
    return JSON.parse(stdout)
  }

  /** The liars, or those given, lie in their reports on so many states from a height on. */
  async lie(from: number, rounds: number, liars = this.#options.liars): Promise<void> {
    const { about } = this.#options
    const { nodes } = this.net.info
    const { scores } = await this.get<{ scores: { validator: string }[] }>(0, '/fornax/classifier/v1/scores')
    const place = scores.findIndex(({ validator }) => validator === nodes[about]!.operator_address)
    const told: Lie = { place, score: 9_999, from, to: from + rounds - 1 }
    for (const i of liars) writeFileSync(lieFile(nodes[i]!.home), JSON.stringify(told))
    // The report on a state goes out with the next vote, and is judged in the block after that.
    this.firstWithheld = from + 2
  }

  /** Waits until these nodes are halted, ends the lie, and answers the height that they halted at. */
  async halted(nodes: readonly number[] = [...this.net.nodes.keys()]): Promise<number> {
    await eventually(
      'the halt',
      async () => (await Promise.all(nodes.map(this.isHalted))).every(Boolean),
      60_000,
    )
    this.stopLying()
    this.firstWithheld = (await this.appHeight(nodes[0]!)) + 1
    return this.firstWithheld + STREAK - 1
  }

  stopLying(): void {
    for (const { home } of this.net.info.nodes) rmSync(lieFile(home), { force: true })
  }

  /** Stops all nodes or those given, and starts them again: one after another, as operators do: those that are left have written what they signed. */
  async restartAll(
    between: (i: number) => Promise<unknown>,
    nodes: readonly number[] = [...this.net.nodes.keys()],
  ): Promise<void> {
    const { net } = this
    for (const i of nodes) await net.nodes[i]!.stop()
    await Promise.all(nodes.map(between))
    for (const i of nodes) net.restart(i)
  }
}

/** The app hash in a header, which is the one that the block before left; `rpc` is a CometBFT's address. */
export async function appHash(rpc: string, height: number): Promise<string> {
  return (await json<{ result: { header: { app_hash: string } } }>(`${rpc}/header?height=${height}`)).result
    .header.app_hash
}

async function json<T>(url: string): Promise<T> {
  return (await (await fetch(url)).json()) as T
}

import type { Context } from '../../core/context.ts'
import type { Log } from '../../core/log.ts'
import { bansToMark } from '../../modules/agents/api.ts'
import { recordOf } from '../../modules/classifier/api.ts'
import type { Ban } from '../../proto/gen/fornax/agents/v1/agents.ts'
import type { Chain } from '../app/chain.ts'
import { type CometRpc, RpcUnavailable } from '../client/rpc.ts'
import type { Agent, AgentSigner } from './agent-signer.ts'
import { HostSampler } from './host-sampler.ts'
import type { OwnTelemetry } from './own-telemetry.ts'
import type { TelemetryWatch } from './telemetry-watch.ts'

export interface AgentsOptions {
  readonly chain: Chain
  readonly rpc: Pick<CometRpc, 'status' | 'peers' | 'broadcastTxSync'>
  readonly signer: AgentSigner
  /** Takes samples of the host, where they are to be told in votes. */
  readonly telemetry?: OwnTelemetry | undefined
  /** Whether bans are marked. */
  readonly banMarks: boolean
  readonly log: Log
  /** Told what came of each sample and each transaction. */
  readonly onDone?: (work: AgentWork, isDone: boolean) => void
  readonly sampler?: Pick<HostSampler, 'sample'>
  /** Told of each committed state, with this node's agent. */
  readonly watches?: readonly Pick<TelemetryWatch, 'look'>[]
}

export type AgentWork = 'telemetry' | 'ban_mark'

const STATUS_MS = 10_000
/** Blocks until a mark that is in no block is sent again, doubled each time. */
const RETRY_BLOCKS = 4
const MAX_RETRY_BLOCKS = 512
const MARKS_A_BLOCK = 4

/**
 * The agents' work for a validator after each committed block: its node samples its host, for its votes to tell, and submits
 * its BAN MARK SIGN for each ban that lacks it. Off the path of consensus; a failure is logged once until it works again.
 */
export class Agents {
  readonly #options: AgentsOptions
  readonly #sampler: Pick<HostSampler, 'sample'>
  readonly #marks = new Map<string, { readonly nextAt: number; readonly pause: number }>()
  readonly #failing = new Set<string>()
  #turn: Promise<void> | undefined
  #inStepAt = Number.NEGATIVE_INFINITY
  #stopped = false

  constructor(options: AgentsOptions) {
    this.#options = options
    this.#sampler = options.sampler ?? new HostSampler(options.rpc)
  }

  /** Takes a turn for a committed block, unless the one for an earlier block still lasts. Resolves when it is over. */
  onCommit(): Promise<void> {
    if (this.#stopped) return Promise.resolve()
    this.#turn ??= this.#take().finally(() => {
      this.#turn = undefined
    })
    return this.#turn
  }

  /** Resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#turn
  }

  async #take(): Promise<void> {
    const { chain, signer, telemetry, banMarks, watches = [] } = this.#options
    await this.#attempt('agents', async () => {
      if (chain.store.height === 0 || !(await this.#isInStep())) return
      if (telemetry?.isAsked) await this.#attempt('telemetry', () => this.#sample(telemetry))
      const ctx = chain.view('committed')
      const agent = signer.agent(ctx)
      for (const watch of watches) watch.look(ctx, agent)
      if (agent === undefined || this.#stopped) return
      if (banMarks) await this.#attempt('ban_mark', () => this.#markBans(ctx, agent))
    })
  }

  async #attempt(what: AgentWork | 'agents', act: () => Promise<void>): Promise<void> {
    const { log, onDone } = this.#options
    try {
      await act()
      if (this.#failing.delete(what)) log.info({ what }, 'the agents work again')
    } catch (err) {
      if (what !== 'agents') onDone?.(what, false)
      if (!this.#failing.has(what) && !this.#stopped)
        log.warn({ what, reason: (err as Error).message }, 'the agents failed: they go on trying')
      this.#failing.add(what)
    }
  }

  /** Whether the node keeps up with the chain. A node that does is asked again only after a while. */
  async #isInStep(): Promise<boolean> {
    if (performance.now() - this.#inStepAt < STATUS_MS) return true
    try {
      if ((await this.#options.rpc.status()).sync_info.catching_up) return false
    } catch (error) {
      // CometBFT replays blocks before it serves its RPC.
      if (error instanceof RpcUnavailable) return false
      throw error
    }
    this.#inStepAt = performance.now()
    return true
  }

  async #sample(telemetry: OwnTelemetry): Promise<void> {
    telemetry.sample(await this.#sampler.sample())
    this.#options.onDone?.('telemetry', true)
  }

  /** Sends the marks that are due. A mark that is not in a block by then is sent again, ever more rarely. */
  async #markBans(ctx: Context, agent: Agent): Promise<void> {
    if (recordOf(ctx, agent.operator) === undefined) return
    const height = Number(ctx.height)
    const bans = bansToMark(ctx, agent.operator)
    const idOf = ({ node, height }: Ban): string => `${node} ${height}`
    const open = new Set(bans.map(idOf))
    for (const id of this.#marks.keys()) if (!open.has(id)) this.#marks.delete(id)
    const due = bans.filter((ban) => (this.#marks.get(idOf(ban))?.nextAt ?? 0) <= height)
    for (const ban of due.slice(0, MARKS_A_BLOCK)) {
      const pause = Math.min(MAX_RETRY_BLOCKS, (this.#marks.get(idOf(ban))?.pause ?? RETRY_BLOCKS / 2) * 2)
      this.#marks.set(idOf(ban), { nextAt: height + pause, pause })
      await this.#send(this.#options.signer.submitBanMark(ctx, agent, ban))
    }
  }

  async #send(tx: Uint8Array): Promise<void> {
    const { code, codespace, log } = await this.#options.rpc.broadcastTxSync(tx)
    if (code !== 0) throw new Error(`refused with ${codespace}/${code}: ${log}`)
    this.#options.onDone?.('ban_mark', true)
  }
}

import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { MsgSubmitProposalResponse } from 'cosmjs-types/cosmos/gov/v1/tx'
import type { ExecTxResult, ResponseFinalizeBlock } from 'cosmjs-types/tendermint/abci/types'
import type { Json } from '../../../core/wire/json.ts'
import { type BlockPlan, Consensus } from './consensus.ts'
import { describeDifferences, differences } from './difference.ts'
import { type ChainDescription, importRequest, initRequest, type Origin } from './genesis.ts'
import type { Operation } from './messages.ts'
import { comparableBlock, comparableUpdates } from './outcome.ts'
import { signAll } from './signing.ts'
import { ask, otherViews, type Question, state } from './state.ts'
import type { Subject } from './subject.ts'

/** Of proposals before these only what lists answer is compared. */
const RECENT_PROPOSALS = 8

/** Two chains that were told the same and must have become the same. */
export class ChainsDiffer extends Error {
  override readonly name = 'ChainsDiffer'
}

/**
 * Two implementations that get the same genesis and the same blocks. Every answer to a block is compared at once,
 * their states when asked. `left` is the oracle: its answers decide what the scenario goes on with.
 */
export class Twins {
  readonly left: Subject
  readonly right: Subject
  readonly consensus: Consensus
  /** Names that scenarios gave to heights. */
  readonly heights = new Map<string, bigint>()
  /** What is being played, for messages. */
  now = 'genesis'
  readonly #description: ChainDescription
  readonly #proposals: bigint[] = []

  private constructor(left: Subject, right: Subject, description: ChainDescription, consensus: Consensus) {
    this.left = left
    this.right = right
    this.#description = description
    this.consensus = consensus
  }

  /**
   * Starts both from a genesis of the description, or with an origin from that, whose cast the description names. They
   * are stopped by `stop`, and where this throws.
   */
  static async start(
    description: ChainDescription,
    start: readonly [() => Promise<Subject>, () => Promise<Subject>],
    origin?: Origin,
  ): Promise<Twins> {
    const request = (subject: Subject) =>
      origin ? importRequest(subject, origin) : initRequest(subject, description)
    const left = await start[0]()
    const right = await start[1]().catch(async (error: unknown) => {
      await left.stop()
      throw error
    })
    try {
      const answers = [await left.initChain(request(left)), await right.initChain(request(right))] as const
      const height = origin?.height ?? (description.initialHeight ?? 1n) - 1n
      const consensus = new Consensus(answers[0].validators, height, origin?.timeNs)
      const twins = new Twins(left, right, description, consensus)
      twins.#proposals.push(...(origin?.proposals ?? []))
      twins.#mustAgree(comparableUpdates(answers[0].validators), comparableUpdates(answers[1].validators))
      return twins
    } catch (error) {
      await left.stop()
      await right.stop()
      throw error
    }
  }

  async stop(): Promise<void> {
    await this.left.stop()
    await this.right.stop()
  }

  get height(): bigint {
    return this.consensus.height
  }

  /** The proposals so far. */
  get proposals(): readonly bigint[] {
    return this.#proposals
  }

  /** How many proposals there have been. */
  get proposalCount(): bigint {
    return this.#proposals.at(-1) ?? 0n
  }

  /** Plays a block with a transaction for each operation and answers the oracle's results. Throws ChainsDiffer. */
  async block(
    operations: readonly Operation[],
    plan: Omit<BlockPlan, 'txs'> = {},
  ): Promise<readonly ExecTxResult[]> {
    const [left, right] = [
      await this.#run(this.left, operations, plan),
      await this.#run(this.right, operations, plan),
    ]
    this.consensus.decided(left.request, left.response.validatorUpdates)
    const minting = this.left.has('mint') === this.right.has('mint')
    this.#mustAgree(
      comparableBlock(this.left, left.response, minting),
      comparableBlock(this.right, right.response, minting),
      () => {
        const logs = (response: ResponseFinalizeBlock): string =>
          response.txResults.map((r) => r.log).join(' | ')
        return `logs\n    ${this.left.name}: ${logs(left.response)}\n    ${this.right.name}: ${logs(right.response)}`
      },
    )
    for (const result of left.response.txResults) this.#noteProposal(result)
    return left.response.txResults
  }

  /** Compares the states, or with `everything` all that can be asked, and answers them. Throws ChainsDiffer. */
  async compare(depth: 'state' | 'everything' = 'state'): Promise<{ readonly [question: string]: Json }> {
    const { accounts, validators, candidates = [] } = this.#description
    const operators = [...Object.keys(validators), ...candidates]
    const people = [...new Set([...operators, ...Object.keys(accounts)])]
    const cast = { people, operators, proposals: this.#proposals.slice(-RECENT_PROPOSALS) }
    const questions = [...state(cast), ...(depth === 'everything' ? otherViews(cast) : [])]
    const left: { [key: string]: Json } = {}
    const right: { [key: string]: Json } = {}
    await Promise.all(
      questions.map(async (question) => {
        const name = `${question.method}(${question.about})`
        left[name] = await ask(this.left, question)
        right[name] = await this.#askRight(question)
      }),
    )
    this.#mustAgree(left, right)
    return left
  }

  async #askRight(question: Question): Promise<Json> {
    return this.right.serves(`/cosmos.${question.method}`) ? ask(this.right, question) : '(no such query)'
  }

  #mustAgree(left: Json, right: Json, more = (): string => ''): void {
    const found = differences(left, right)
    if (found.length === 0) return
    const names = [this.left.name, this.right.name] as const
    throw new ChainsDiffer(
      `after ${this.now}, height ${this.consensus.height}:\n${describeDifferences(found, names)}\n  ${more()}`,
    )
  }

  async #run(
    subject: Subject,
    operations: readonly Operation[],
    plan: Omit<BlockPlan, 'txs'>,
  ): Promise<{ request: ReturnType<Consensus['next']>; response: ResponseFinalizeBlock }> {
    const request = this.consensus.next({ ...plan, txs: await signAll(subject, operations) })
    const response = await subject.finalizeBlock(request)
    await subject.commit()
    return { request, response }
  }

  #noteProposal({ code, data }: ExecTxResult): void {
    if (code !== 0) return
    for (const { typeUrl, value } of TxMsgData.decode(data).msgResponses)
      if (typeUrl === MsgSubmitProposalResponse.typeUrl)
        this.#proposals.push(MsgSubmitProposalResponse.decode(value).proposalId)
  }
}

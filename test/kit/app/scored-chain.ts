import { MisbehaviorType, type ResponseFinalizeBlock } from 'cosmjs-types/tendermint/abci/types'
import { formatAddress, VALIDATOR_PREFIX } from '../../../core/address.ts'
import { toHex } from '../../../core/bytes.ts'
import { sectionToJson } from '../../../core/genesis-section.ts'
import { timestampOf } from '../../../core/time.ts'
import type { Json } from '../../../core/wire/json.ts'
import type { Any } from '../../../core/wire/registry.ts'
import { Classifier } from '../../../daemon/classifier/classifier.ts'
import { ownModelHash, ownModels } from '../../../daemon/classifier/model-files.ts'
import type { GenesisValidator } from '../../../genesis/document.ts'
import { splitVoteExtension } from '../../../modules/classifier/api.ts'
import { modules } from '../../../modules/index.ts'
import type { Decision } from '../../../proto/gen/fornax/agents/v1/agents.ts'
import type { Feature } from '../../../proto/gen/fornax/classifier/v1/query.ts'
import { type ChainOptions, consensusAddress, quietLog, TestChain } from './chain.ts'
import { CometSet } from './comet-set.ts'
import type { TestVote } from './extended-commit.ts'
import { message } from './governance.ts'

/** What validators do in the vote on the last block; all the others vote and report what the model says. */
export interface Conduct {
  readonly absent?: readonly string[]
  readonly nil?: readonly string[]
  /** Who lets its turns to propose pass. */
  readonly idle?: readonly string[]
  /** Who proposes; by default each in turn. */
  readonly proposer?: string
  /** What votes tell of their hosts. */
  readonly telemetry?: Readonly<Record<string, Uint8Array>>
  /** Reports in place of the honest one, which they are given; nothing for an empty extension. */
  readonly reports?: Readonly<Record<string, (honest: Uint8Array) => Uint8Array>>
  /** Whose reports the proposer does not pass on. */
  readonly withheld?: readonly string[]
  /** Who has voted twice. */
  readonly equivocators?: readonly string[]
  /** Nanoseconds since the block before, where it is not a slot. */
  readonly afterNs?: bigint
}

/** Blocks of 5 s in which a vote ends. */
const VOTING_BLOCKS = 8

/** A module's default genesis section, as JSON. */
export function section(name: string): { [key: string]: Json } {
  const { genesis } = modules.find((module) => module.name === name)!
  return sectionToJson(genesis!, genesis!.defaults())
}

/** A genesis section of governance whose votes last half a minute. */
export function shortVotes(): { [key: string]: Json } {
  const gov = section('gov')
  const params = { ...(gov['params'] as object), voting_period: '30s', expedited_voting_period: '10s' }
  return { ...gov, params }
}

/**
 * The application with the real model, and CometBFT's part beside it: each block carries the reports on the one before,
 * and votes are those of the set that the updates made.
 */
export class ScoredChain {
  readonly chain: TestChain
  readonly comet: CometSet
  readonly #names: ReadonlyMap<string, string>
  #report: Uint8Array = new Uint8Array(0)

  private constructor(chain: TestChain, validators?: readonly GenesisValidator[]) {
    this.chain = chain
    this.#names = new Map([...chain.users.keys()].map((name) => [toHex(consensusAddress(name)), name]))
    const powers =
      validators?.map(({ address, power }) => [address.toLowerCase(), BigInt(power)] as const) ??
      chain.validators.map((name) => [toHex(consensusAddress(name)), 100n] as const)
    this.comet = new CometSet(new Map(powers), Number(chain.initialHeight))
  }

  /** `models`: folders besides the one with the program's own model. `onError`: told of each inference that failed. */
  static async start({
    models = [],
    agentKeys = [],
    onError,
    ...options
  }: ChainOptions & {
    models?: readonly string[]
    agentKeys?: readonly { validator: string; pub_key: string }[]
    onError?: (error: Error) => void
  }): Promise<ScoredChain> {
    const { appState = {} } = options
    const sha256 = Buffer.from(ownModelHash()!).toString('base64')
    const chain = await TestChain.start({
      voteExtensions: true,
      reporter: new Classifier({
        folders: [ownModels, ...models],
        log: onError ? { ...quietLog, error: (fields) => onError((fields as { err: Error }).err) } : quietLog,
      }),
      ...options,
      appState: {
        ...appState,
        classifier: {
          ...section('classifier'),
          model: { sha256, activation_height: '0' },
          agent_keys: [...agentKeys],
        },
      },
    })
    return new ScoredChain(chain, options.document?.validators)
  }

  stop(): Promise<void> {
    return this.chain.stop()
  }

  /** Places on the roster are in the order of consensus addresses. */
  place(name: string): number {
    const addresses = this.chain.validators.map((v) => toHex(consensusAddress(v))).sort()
    return addresses.indexOf(toHex(consensusAddress(name)))
  }

  operator(name: string): string {
    return formatAddress(this.chain.user(name).address, VALIDATOR_PREFIX)
  }

  async block(conduct: Conduct = {}, ...txs: readonly Uint8Array[]): Promise<ResponseFinalizeBlock> {
    const { chain, comet } = this
    const height = chain.height + 1n
    const voters =
      height === chain.initialHeight ? [] : [...comet.at(height - 1n)].sort(([a], [b]) => (a < b ? -1 : 1))
    const votes = voters.map(([id, power]): TestVote => {
      const name = this.#names.get(id)!
      const absent = conduct.absent?.includes(name) ?? false
      const nil = conduct.nil?.includes(name) ?? false
      const isSilent = absent || nil || conduct.withheld?.includes(name)
      const report = isSilent ? undefined : (conduct.reports?.[name]?.(this.#report) ?? this.#report)
      const telemetry = conduct.telemetry?.[name]
      return { name, power, absent, nil, report, ...(telemetry && { telemetry }) }
    })
    const able = votes.filter(({ name, absent }) => !absent && !conduct.idle?.includes(name))
    const proposer = conduct.proposer ?? able[Number(height) % Math.max(1, able.length)]?.name
    const { voteExtension } = await chain.app.extendVote({ height } as never)
    const answer = await chain.blockWith(
      {
        votes,
        ...(conduct.afterNs !== undefined && { afterNs: conduct.afterNs }),
        ...(proposer !== undefined && { proposer: consensusAddress(proposer) }),
        misbehavior: (conduct.equivocators ?? []).map((name) => ({
          type: MisbehaviorType.DUPLICATE_VOTE,
          validator: { address: consensusAddress(name), power: 100n },
          height: height - 1n,
          time: timestampOf(chain.timeOf(height - 1n)),
          totalVotingPower: 100n * BigInt(voters.length),
        })),
      },
      ...txs,
    )
    this.#report = splitVoteExtension(voteExtension)!.report
    comet.apply(height, answer.validatorUpdates)
    return answer
  }

  async blocks(count: number, conduct: Conduct = {}): Promise<void> {
    for (let i = 0; i < count; i++) await this.block(conduct)
  }

  sign(who: string, ...messages: Any[]): Uint8Array {
    return this.chain.sign(who, { messages, fee: { amount: [], gasLimit: 5_000_000n } })
  }

  #proposals = 0n
  /** Has governance run a message: everybody but `silent` votes for it. The genesis must have `shortVotes`. */
  async pass(proposed: Any, silent: readonly string[] = []): Promise<void> {
    const voters = this.chain.validators.filter((name) => !silent.includes(name))
    const proposalId = ++this.#proposals
    const submit = message('cosmos.gov.v1.MsgSubmitProposal', {
      messages: [proposed],
      initialDeposit: [{ denom: 'afrx', amount: `${10n ** 19n}` }],
      proposer: this.chain.user(voters[0]!).text,
      title: 'a title',
      summary: 'a summary',
    })
    const vote = (who: string): Uint8Array =>
      this.sign(
        who,
        message('cosmos.gov.v1.MsgVote', { proposalId, voter: this.chain.user(who).text, option: 1 }),
      )
    const submitted = await this.block({}, this.sign(voters[0]!, submit))
    const voted = await this.block({}, ...voters.map(vote))
    for (const { code, log } of [...submitted.txResults, ...voted.txResults])
      if (code !== 0) throw new Error(log)
    await this.blocks(VOTING_BLOCKS)
  }

  async scores(): Promise<Record<string, number>> {
    const { scores } = await this.chain.query<{ scores: { validator: string; score: number }[] }>(
      '/fornax.classifier.v1.Query/Scores',
    )
    const names = new Map(this.chain.validators.map((name) => [this.operator(name), name]))
    return Object.fromEntries(scores.map(({ validator, score }) => [names.get(validator)!, score]))
  }

  async features(name: string): Promise<Record<string, number>> {
    const { features } = await this.chain.query<{ features: Feature[] }>(
      '/fornax.classifier.v1.Query/Features',
      { validator: this.operator(name) },
    )
    return Object.fromEntries(features.map(({ name, value }) => [name, value]))
  }

  /** The decisions of the last committed block, by name. */
  async decisions(): Promise<Record<string, Decision>> {
    const { decisions } = await this.chain.query<{ decisions: { decisions: Decision[] } }>(
      '/fornax.agents.v1.Query/Decisions',
    )
    const names = new Map(this.chain.validators.map((name) => [this.operator(name), name]))
    return Object.fromEntries(decisions.decisions.map((d) => [names.get(d.node)!, d]))
  }
}

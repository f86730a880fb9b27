import type { Params, Proposal, TallyResult, WeightedVoteOption } from 'cosmjs-types/cosmos/gov/v1/gov'
import type { ExecTxResult, ResponseFinalizeBlock } from 'cosmjs-types/tendermint/abci/types'
import { AUTHORITY } from '../../../core/authority.ts'
import { type Any, packAny, wireType } from '../../../core/wire/registry.ts'
import type { TestChain } from './chain.ts'

export const FRX = 10n ** 18n
export const DAY_NS = 86_400_000_000_000n

export const coins = (amount: bigint, denom = 'afrx') =>
  amount === 0n ? [] : [{ denom, amount: amount.toString() }]

/** A message of a type by its full name; what is left out has its default. */
export const message = (name: string, value: object): Any => packAny(name, wireType(name).fromPartial(value))

/** A payment by the account of governance. */
export const pay = (to: string, amount: bigint): Any =>
  message('cosmos.bank.v1beta1.MsgSend', { fromAddress: AUTHORITY, toAddress: to, amount: coins(amount) })

export interface ProposalTerms {
  readonly messages?: readonly Any[]
  /** afrx; default the least. */
  readonly deposit?: bigint
  readonly title?: string
  readonly summary?: string
  readonly metadata?: string
  readonly expedited?: boolean
}

const options = { yes: 1, abstain: 2, no: 3, veto: 4 } as const
export type Option = keyof typeof options

export const weighted = (weights: Partial<Record<Option, string>>): WeightedVoteOption[] =>
  Object.entries(weights).map(([option, weight]) => ({ option: options[option as Option], weight }))

/** `codespace/code`, and `ok` for success. */
export const outcome = ({ code, codespace }: ExecTxResult): string =>
  code === 0 ? 'ok' : `${codespace}/${code}`

/** What governance does on a test chain, a block for each transaction. */
export class Government {
  readonly chain: TestChain

  constructor(chain: TestChain) {
    this.chain = chain
  }

  async deliver(who: string, ...messages: Any[]): Promise<ExecTxResult> {
    const tx = this.chain.sign(who, { messages, fee: { amount: [], gasLimit: 5_000_000n } })
    const { txResults } = await this.chain.block(tx)
    // What does not decode counts no sequence up.
    this.chain.user(who).sequence = await this.chain.sequence(who)
    return txResults[0]!
  }

  submit(who: string, terms: ProposalTerms = {}): Promise<ExecTxResult> {
    const { messages = [], deposit = (terms.expedited ? 50n : 10n) * FRX, ...rest } = terms
    const value = { title: 'a title', summary: 'a summary', metadata: 'of some kind', ...rest }
    return this.deliver(
      who,
      message('cosmos.gov.v1.MsgSubmitProposal', {
        ...value,
        messages,
        initialDeposit: coins(deposit),
        proposer: this.chain.user(who).text,
      }),
    )
  }

  deposit(who: string, proposalId: bigint, amount: bigint): Promise<ExecTxResult> {
    const depositor = this.chain.user(who).text
    return this.deliver(
      who,
      message('cosmos.gov.v1.MsgDeposit', { proposalId, depositor, amount: coins(amount) }),
    )
  }

  vote(who: string, proposalId: bigint, option: Option): Promise<ExecTxResult> {
    const voter = this.chain.user(who).text
    return this.deliver(who, message('cosmos.gov.v1.MsgVote', { proposalId, voter, option: options[option] }))
  }

  voteWeighted(who: string, proposalId: bigint, weights: WeightedVoteOption[]): Promise<ExecTxResult> {
    const voter = this.chain.user(who).text
    return this.deliver(
      who,
      message('cosmos.gov.v1.MsgVoteWeighted', { proposalId, voter, options: weights }),
    )
  }

  cancel(who: string, proposalId: bigint): Promise<ExecTxResult> {
    const proposer = this.chain.user(who).text
    return this.deliver(who, message('cosmos.gov.v1.MsgCancelProposal', { proposalId, proposer }))
  }

  delegate(who: string, validatorAddress: string, amount: bigint): Promise<ExecTxResult> {
    return this.deliver(
      who,
      message('cosmos.staking.v1beta1.MsgDelegate', {
        delegatorAddress: this.chain.user(who).text,
        validatorAddress,
        amount: coins(amount)[0]!,
      }),
    )
  }

  /** A block at which voting that has begun by now is over. */
  pass(days: bigint): Promise<ResponseFinalizeBlock> {
    return this.chain.blockWith({ afterNs: days * DAY_NS })
  }

  /** A proposal that all validators vote for, at the block that decides it. */
  async decree(...messages: Any[]): Promise<{ proposal: Proposal; block: ResponseFinalizeBlock }> {
    const { data, code, log } = await this.submit('alice', { messages })
    if (code !== 0) throw new Error(log)
    const id = (await this.proposals()).at(-1)!.id
    if (data.length === 0) throw new Error('no number was answered')
    for (const name of this.chain.validators) await this.vote(name, id, 'yes')
    const block = await this.pass(2n)
    return { proposal: await this.proposal(id), block }
  }

  async proposal(proposalId: bigint): Promise<Proposal> {
    const path = '/cosmos.gov.v1.Query/Proposal'
    return (await this.chain.query<{ proposal: Proposal }>(path, { proposalId })).proposal
  }

  async proposals(filter: object = {}): Promise<Proposal[]> {
    const path = '/cosmos.gov.v1.Query/Proposals'
    return (await this.chain.query<{ proposals: Proposal[] }>(path, filter)).proposals
  }

  async tally(proposalId: bigint): Promise<TallyResult> {
    const path = '/cosmos.gov.v1.Query/TallyResult'
    return (await this.chain.query<{ tally: TallyResult }>(path, { proposalId })).tally
  }

  async params(): Promise<Params> {
    return (await this.chain.query<{ params: Params }>('/cosmos.gov.v1.Query/Params')).params
  }
}

/** The events of one type of a block or a transaction, as objects. */
export const eventsOf = (
  { events }: Pick<ResponseFinalizeBlock, 'events'>,
  type: string,
): Record<string, string>[] =>
  events
    .filter((e) => e.type === type)
    .map((e) => Object.fromEntries(e.attributes.map((a) => [a.key, a.value])))

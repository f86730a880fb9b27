import { expect } from 'chai'
import * as legacyGov from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import * as legacyQuery from 'cosmjs-types/cosmos/gov/v1beta1/query'
import * as legacy from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import { atomicsFromDecimal } from '../../core/decimal-text.ts'
import { type Any, registerTypes } from '../../core/wire/registry.ts'
import { account, authority, DENOM } from '../kit/oracle/cast.ts'
import type { Dialect } from '../kit/oracle/dialect.ts'
import { inOrder, pay, setGovParams } from '../kit/oracle/governance.ts'
import { message, type Operation, submitProposal, vote } from '../kit/oracle/messages.ts'
import { advance, DAY, does, fails, type Step, together } from '../kit/oracle/scenario.ts'
import { ask } from '../kit/oracle/state.ts'
import { fourValidators, scenario } from '../kit/oracle/suite.ts'

registerTypes(legacy, legacyGov, legacyQuery)

const coins = (amount: bigint, denom = DENOM) => [{ denom, amount: amount.toString() }]
const ENOUGH = 10_000_000n

const operation = (
  signer: string,
  name: string,
  value: (dialect: Dialect) => object,
  text = name,
): Operation => ({
  signer,
  text: `${signer}: ${text}`,
  messages: (d) => [message(`cosmos.gov.${name}`, value(d))],
})

const propose = (change: object, messages: (d: Dialect) => Any[] = () => []): Operation =>
  operation(
    'alice',
    'v1.MsgSubmitProposal',
    (d) => ({
      proposer: account(d, 'alice'),
      title: 'a title',
      summary: 'a summary',
      metadata: 'of some kind',
      initialDeposit: coins(ENOUGH),
      messages: messages(d),
      ...change,
    }),
    `proposes ${JSON.stringify(change).slice(0, 100)}`,
  )

const told = (metadata: string): Operation => propose({ metadata })

const weigh = (options: { option: number; weight: string }[]): Operation =>
  operation(
    'val1',
    'v1.MsgVoteWeighted',
    (d) => ({ proposalId: 1n, voter: account(d, 'val1'), options }),
    `votes ${JSON.stringify(options).slice(0, 100)}`,
  )

const put = (amount: object[]): Operation =>
  operation('bob', 'v1.MsgDeposit', (d) => ({ proposalId: 1n, depositor: account(d, 'bob'), amount }))

const legacyText = (value: object): Any => message('cosmos.gov.v1beta1.TextProposal', value)

const proposeText = (content: Any | undefined, deposit = ENOUGH): Operation =>
  operation('carol', 'v1beta1.MsgSubmitProposal', (d) => ({
    ...(content && { content }),
    initialDeposit: coins(deposit),
    proposer: account(d, 'carol'),
  }))

const exec = (signer: (d: Dialect) => string) => (d: Dialect) => [
  message('cosmos.gov.v1.MsgExecLegacyContent', {
    content: legacyText({ title: 'a', description: 'b' }),
    authority: signer(d),
  }),
]

const paidBy = (from: string) => (d: Dialect) => [
  message('cosmos.bank.v1beta1.MsgSend', {
    fromAddress: from,
    toAddress: account(d, 'bob'),
    amount: coins(1n),
  }),
]

/** Both chains must answer the older questions alike. */
const sameLegacyAnswers = (proposals: readonly bigint[]): Step => ({
  text: 'the older questions',
  async play(twins) {
    const about = (method: string, request: (d: Dialect) => object) => ({
      method: `gov.v1beta1.Query/${method}`,
      about: '',
      request,
    })
    const questions = [
      ...['deposit', 'voting', 'tallying'].map((paramsType) => about('Params', () => ({ paramsType }))),
      ...proposals.flatMap((proposalId) => [
        ...['Proposal', 'TallyResult', 'Votes', 'Deposits'].map((method) =>
          about(method, () => ({ proposalId })),
        ),
        about('Vote', (d) => ({ proposalId, voter: account(d, 'val1') })),
        about('Deposit', (d) => ({ proposalId, depositor: account(d, 'carol') })),
      ]),
    ]
    for (const question of questions)
      expect(await ask(twins.right, question), question.method).to.deep.equal(await ask(twins.left, question))
  },
})

describe('Governance refuses what the Cosmos SDK refuses', () => {
  scenario('in proposals', fourValidators, [
    fails('gov/11', propose({ metadata: '' })),
    fails('sdk/18', propose({ title: '' })),
    fails('sdk/18', propose({ summary: '' })),
    fails('gov/15', propose({ title: 'é'.repeat(128) })),
    fails('gov/22', propose({ summary: 'x'.repeat(10_201) })),
    does(propose({ summary: 'x'.repeat(10_200) })),
    fails('sdk/10', propose({ initialDeposit: [...coins(ENOUGH), ...coins(1n)] })),
    fails('gov/23', propose({ initialDeposit: coins(ENOUGH, 'atom') })),
    fails('gov/16', propose({ initialDeposit: [] })),
    does(told('{"title":"a title","summary":"a summary"}')),
    does(told('{"TITLE":"a title","ſummary":"a summary","authors":["me",null],"details":null}')),
    fails('gov/5', told('{"title":"another","summary":"a summary"}')),
    fails('gov/5', told('null')),
    fails('gov/5', told('{}')),
    does(told('{"title":5,"summary":"a summary"}')),
    does(told('{"title":"another","authors":"me"}')),
    does(told('[]')),
    does(told('{"title":')),
  ])

  scenario('in their messages', fourValidators, [
    fails('gov/13', propose({}, pay('bob', 1n, 'alice'))),
    fails('gov/13', propose({}, inOrder(pay('bob', 1n), pay('bob', 1n, 'carol')))),
    fails('undefined/1', propose({}, paidBy(''))),
    fails('undefined/1', propose({}, paidBy('nobody'))),
    fails(
      'sdk/2',
      propose({}, () => [message('cosmos.bank.v1beta1.Params', {})]),
    ),
    fails(
      'gov/12',
      propose(
        {},
        exec(() => 'nobody'),
      ),
    ),
    fails(
      'gov/13',
      propose(
        {},
        exec((d) => account(d, 'bob')),
      ),
    ),
    fails(
      'undefined/111222',
      propose({}, (d) => [message('cosmos.gov.v1.MsgExecLegacyContent', { authority: authority(d) })]),
    ),
    does(propose({}, exec(authority))),
    does(
      propose({}, (d) => [
        message('cosmos.gov.v1.MsgSubmitProposal', {
          messages: paidBy(authority(d))(d),
          proposer: authority(d),
          title: 'of its own',
          summary: 'a proposal',
          initialDeposit: coins(ENOUGH),
        }),
      ]),
    ),
    together(...[1n, 2n].flatMap((id) => ['val2', 'val3', 'val4'].map((who) => vote(who, id, 'yes')))),
    advance(2n * DAY),
  ])

  scenario('in deposits and votes', fourValidators, [
    does(propose({})),
    fails('sdk/10', put([])),
    fails('sdk/10', put(coins(0n))),
    fails('gov/23', put([...coins(5n, 'atom'), ...coins(ENOUGH)])),
    fails('gov/16', put(coins(99_999n))),
    does(put(coins(100_000n))),
    ...[
      [{ option: 1, weight: '' }],
      [{ option: 1, weight: 'one' }],
      [{ option: 1, weight: '0' }],
      [{ option: 1, weight: '-1' }],
      [{ option: 0, weight: '1' }],
      [{ option: 5, weight: '1' }],
      [{ option: 1, weight: '1.' }],
      [{ option: 1, weight: '.5' }],
      [{ option: 1, weight: '1.0000000000000000000' }],
      [{ option: 1, weight: '0.9999999999999999999' }],
      [{ option: 1, weight: '1e0' }],
      [{ option: 1, weight: '9'.repeat(200) }],
      [
        { option: 1, weight: '0.5' },
        { option: 1, weight: '0.5' },
      ],
      [
        { option: 1, weight: '1' },
        { option: 2, weight: '0.000000000000000001' },
      ],
    ].map((options) => fails('gov/7', weigh(options))),
    does(
      weigh([
        { option: 1, weight: '00.50' },
        { option: 3, weight: '+0.5' },
      ]),
    ),
    does(weigh([{ option: 1, weight: '--1' }])),
  ])

  scenario('in new parameters', fourValidators, [
    does(
      propose(
        {},
        setGovParams({
          minDepositRatio: 'nonsense',
          quorum: '0.01',
          votingPeriod: { seconds: 86_500n, nanos: 0 },
        }),
      ),
    ),
    ...[
      { quorum: '' },
      { quorum: '1.1' },
      { threshold: '0' },
      { expeditedThreshold: '0.5' },
      { vetoThreshold: '-1' },
      { minDeposit: [] },
      { expeditedMinDeposit: coins(ENOUGH) },
      { expeditedVotingPeriod: { seconds: 172_800n, nanos: 0 } },
      { proposalCancelRatio: '2' },
      { minInitialDepositRatio: '2' },
      { proposalCancelDest: 'nobody' },
    ].map((change) => does(propose({}, setGovParams(change)))),
    together(
      ...Array.from({ length: 12 }, (_, i) => BigInt(i + 1)).flatMap((id) =>
        ['val3', 'val4'].map((who) => vote(who, id, 'yes')),
      ),
    ),
    advance(2n * DAY),
    fails('undefined/1', propose({})),
  ])

  scenario('in older messages', fourValidators, [
    fails('undefined/111222', proposeText(undefined)),
    fails('gov/5', proposeText(legacyText({ title: ' ', description: 'b' }))),
    fails('gov/5', proposeText(legacyText({ title: 'a', description: '' }))),
    fails('gov/5', proposeText(legacyText({ title: 'a'.repeat(141), description: 'b' }))),
    fails('gov/5', proposeText(legacyText({ title: 'a', description: 'b'.repeat(10_001) }))),
    does(proposeText(legacyText({ title: 'a', description: 'b' }))),
    does(submitProposal('carol', { title: 'pays', deposit: ENOUGH / 2n, messages: pay('bob', 1n) })),
    does(
      submitProposal('carol', {
        title: 'pays two',
        deposit: 200_000n,
        messages: inOrder(pay('bob', 1n), pay('bob', 2n)),
      }),
    ),
    does(
      operation('val1', 'v1beta1.MsgVoteWeighted', (d) => ({
        proposalId: 1n,
        voter: account(d, 'val1'),
        options: [
          { option: 1, weight: atomicsFromDecimal('0.3') },
          { option: 4, weight: atomicsFromDecimal('0.7') },
        ],
      })),
    ),
    does(
      operation('val4', 'v1beta1.MsgVote', (d) => ({ proposalId: 1n, voter: account(d, 'val4'), option: 1 })),
    ),
    does(
      operation('dave', 'v1beta1.MsgDeposit', (d) => ({
        proposalId: 2n,
        depositor: account(d, 'dave'),
        amount: coins(ENOUGH / 2n),
      })),
    ),
    sameLegacyAnswers([1n, 2n]),
    advance(2n * DAY),
    sameLegacyAnswers([1n]),
  ])

  scenario('in consensus parameters', fourValidators, [
    ...[
      {},
      { evidence: undefined },
      { block: { maxBytes: 0n, maxGas: 1n } },
      { abci: { voteExtensionsEnableHeight: 2n } },
      { abci: { voteExtensionsEnableHeight: 900n } },
    ].map((change) =>
      does(
        propose({}, (d) => [
          message('cosmos.consensus.v1.MsgUpdateParams', {
            authority: authority(d),
            block: { maxBytes: 300_000n, maxGas: 40_000_000n },
            evidence: { maxAgeNumBlocks: 5n, maxAgeDuration: { seconds: 60n, nanos: 5 }, maxBytes: 1000n },
            validator: { pubKeyTypes: ['ed25519'] },
            ...change,
          }),
        ]),
      ),
    ),
    together(...[1n, 2n, 3n, 4n, 5n].flatMap((id) => ['val3', 'val4'].map((who) => vote(who, id, 'yes')))),
    advance(2n * DAY),
  ])
})

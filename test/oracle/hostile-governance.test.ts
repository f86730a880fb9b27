import * as legacyGov from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import * as legacy from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import { registerTypes } from '../../core/wire/registry.ts'
import { account, authority } from '../kit/oracle/cast.ts'
import type { Dialect } from '../kit/oracle/dialect.ts'
import {
  cancelProposal,
  deposit,
  message,
  submitProposal,
  vote,
  weightedVote,
} from '../kit/oracle/messages.ts'
import {
  coin,
  failsWhenPassed,
  notAccounts,
  notIntegers,
  refuses,
  type Valid,
  wrongSigners,
} from '../kit/oracle/refusals.ts'
import { advance, DAY, does, fails } from '../kit/oracle/scenario.ts'
import { fourValidators, scenario } from '../kit/oracle/suite.ts'

registerTypes(legacy, legacyGov)

const ONE = 10n ** 18n
const ENOUGH = 10_000_000n
const text = message('cosmos.gov.v1beta1.TextProposal', { title: 'a', description: 'b' })
const yes = { option: 1, weight: '1' }

/** A message of either version; those of v1beta1 write weights in atomics. */
const valid = (name: string, change: object = {}): Valid => ({
  signer: 'alice',
  name: `gov.${name}`,
  value: (d) => ({
    proposalId: 1n,
    proposer: account(d, 'alice'),
    depositor: account(d, 'alice'),
    voter: account(d, 'alice'),
    authority: account(d, 'alice'),
    amount: [coin(ENOUGH)],
    initialDeposit: [coin(ENOUGH)],
    title: 'a title',
    summary: 'a summary',
    metadata: 'of some kind',
    content: text,
    option: 1,
    options: name.startsWith('v1beta1') ? [{ option: 1, weight: `${ONE}` }] : [yes],
    ...change,
  }),
})

/** Refusals of the coins in a field. */
const lists = (field: string) => ({
  'sdk/10': [
    ...['0', '-1', `${-(2n ** 255n)}`].map((amount) => ({ [field]: [coin(amount)] })),
    ...['', 'x', '1stake', 'x'.repeat(129)].map((denom) => ({ [field]: [coin(ENOUGH, denom)] })),
    { [field]: [coin(ENOUGH), coin(ENOUGH)] },
    { [field]: [coin(ENOUGH), coin(1n, 'photon')] },
  ],
  'gov/23': [{ [field]: [coin(ENOUGH, 'photon')] }, { [field]: [coin(1n, 'photon'), coin(ENOUGH)] }],
  'sdk/5': [1_000_000_000_001n, 2n ** 255n, 2n ** 256n - 1n].map((amount) => ({ [field]: [coin(amount)] })),
  'sdk/2': notIntegers.map((amount) => ({ [field]: [coin(amount)] })),
  'undefined/111222': [{ [field]: [coin('')] }],
})

const options = [0, 5, -1, 2 ** 31 - 1].map((option) => ({ option }))
const unknown = [0n, 2n, 2n ** 63n, 2n ** 64n - 1n].map((proposalId) => ({ proposalId }))

const seconds = (n: bigint) => ({ seconds: n, nanos: 0 })
const params = {
  minDeposit: [coin(ENOUGH)],
  maxDepositPeriod: seconds(172_800n),
  votingPeriod: seconds(172_800n),
  quorum: '0.334',
  threshold: '0.5',
  vetoThreshold: '0.334',
  minInitialDepositRatio: '0',
  proposalCancelRatio: '0.5',
  proposalCancelDest: '',
  expeditedVotingPeriod: seconds(86_400n),
  expeditedThreshold: '0.667',
  expeditedMinDeposit: [coin(5n * ENOUGH)],
  burnVoteVeto: true,
  minDepositRatio: '0.01',
}
const shares = ['quorum', 'vetoThreshold', 'threshold', 'expeditedThreshold', 'proposalCancelRatio']
const notShares = [
  '',
  '-0.1',
  '1.000000000000000001',
  '0.1234567890123456789',
  '1e0',
  'half',
  '9'.repeat(300),
]

describe('Governance refuses hostile messages as the Cosmos SDK does', () => {
  scenario('that propose', fourValidators, [
    refuses(valid('v1.MsgSubmitProposal'), wrongSigners('proposer')),
    refuses(valid('v1.MsgSubmitProposal'), lists('initialDeposit')),
    refuses(valid('v1.MsgSubmitProposal'), { 'gov/16': [{ initialDeposit: [] }] }),
    refuses(valid('v1beta1.MsgSubmitProposal'), wrongSigners('proposer')),
    refuses(valid('v1beta1.MsgSubmitProposal'), lists('initialDeposit')),
    refuses(valid('v1beta1.MsgSubmitProposal'), {
      'sdk/2': [
        { content: message('cosmos.bank.v1beta1.MsgSend', {}) },
        { content: { ...text, typeUrl: '/cosmos.unknown.v1.Content' } },
        { content: { ...text, typeUrl: text.typeUrl.slice(1) } },
        { content: { ...text, value: new Uint8Array([255]) } },
      ],
    }),
  ])

  scenario('that ask for what another account signs', fourValidators, [
    refuses(valid('v1.MsgSubmitProposal'), {
      'gov/13': [
        'bank.v1beta1.MsgUpdateParams',
        'staking.v1beta1.MsgUpdateParams',
        'slashing.v1beta1.MsgUpdateParams',
        'distribution.v1beta1.MsgUpdateParams',
        'distribution.v1beta1.MsgCommunityPoolSpend',
        'gov.v1.MsgUpdateParams',
        'consensus.v1.MsgUpdateParams',
      ].flatMap((name) =>
        ['alice', 'module:distribution', 'nobody'].map((who) => (d: Dialect) => ({
          messages: [message(`cosmos.${name}`, { authority: account(d, who) })],
        })),
      ),
    }),
    refuses(valid('v1.MsgExecLegacyContent'), { 'gov/13': [{}] }),
    refuses(valid('v1.MsgUpdateParams', { params }), { ...wrongSigners('authority'), 'gov/13': [{}] }),
  ])

  scenario('that deposit', fourValidators, [
    does(submitProposal('bob', { deposit: 200_000n })),
    ...['v1', 'v1beta1'].flatMap((version) => [
      refuses(valid(`${version}.MsgDeposit`), wrongSigners('depositor')),
      refuses(valid(`${version}.MsgDeposit`), lists('amount')),
      refuses(valid(`${version}.MsgDeposit`), {
        'sdk/10': [{ amount: [] }],
        'gov/16': [{ amount: [coin(99_999n)] }],
        'undefined/1': unknown,
      }),
    ]),
    fails('gov/18', cancelProposal('alice', 1n)),
    fails('undefined/1', cancelProposal('bob', 2n)),
    refuses(valid('v1.MsgCancelProposal'), wrongSigners('proposer')),
    refuses(valid('v1.MsgVote'), { 'gov/3': [{}] }),
    does(cancelProposal('bob', 1n)),
    fails('undefined/1', cancelProposal('bob', 1n)),
    fails('undefined/1', deposit('alice', 1n, ENOUGH)),
  ])

  scenario('that vote', fourValidators, [
    does(submitProposal('bob', { deposit: ENOUGH })),
    ...['v1', 'v1beta1'].flatMap((version) => [
      refuses(valid(`${version}.MsgVote`), wrongSigners('voter')),
      refuses(valid(`${version}.MsgVote`), { 'gov/7': options, 'gov/3': unknown }),
      refuses(valid(`${version}.MsgVoteWeighted`), wrongSigners('voter')),
      refuses(valid(`${version}.MsgVoteWeighted`), { 'gov/3': unknown, 'sdk/18': [{ options: [] }] }),
    ]),
    refuses(valid('v1.MsgVote'), { 'gov/15': [{ metadata: 'x'.repeat(256) }] }),
    refuses(valid('v1.MsgVoteWeighted'), {
      'gov/7': [
        ...options.map((o) => ({ options: [{ ...yes, ...o }] })),
        ...notShares.map((weight) => ({ options: [{ ...yes, weight }] })),
        ...['0', '0.5', '1.1'].map((weight) => ({ options: [{ ...yes, weight }] })),
        { options: [yes, yes] },
      ],
      'gov/15': [{ metadata: 'x'.repeat(256) }],
    }),
    refuses(valid('v1beta1.MsgVoteWeighted'), {
      'gov/7': [
        ...options.map((o) => ({ options: [{ weight: `${ONE}`, ...o }] })),
        ...['', '0', '-1', `${ONE / 2n}`, `${ONE + 1n}`, `${2n ** 315n - 1n}`].map((weight) => ({
          options: [{ option: 1, weight }],
        })),
      ],
      'sdk/2': ['0.5', '1e18', `${2n ** 315n}`].map((weight) => ({ options: [{ option: 1, weight }] })),
    }),
    does(vote('alice', 1n, 'yes')),
    does(weightedVote('alice', 1n, { no: '0.5', veto: '0.5' })),
    does(vote('alice', 1n, 'no')),
    advance(2n * DAY),
    fails('gov/3', vote('alice', 1n, 'yes')),
    fails('gov/3', deposit('alice', 1n, ENOUGH)),
    fails('gov/21', cancelProposal('bob', 1n)),
  ])

  scenario('that change its parameters', fourValidators, [
    refuses(
      { ...valid('v1.MsgSubmitProposal') },
      {
        'sdk/2': [
          { votingPeriod: seconds(10n ** 17n) },
          { maxDepositPeriod: { seconds: 1n, nanos: -1 } },
          { minDeposit: [coin('1e3')] },
        ].map((change) => (d: Dialect) => ({
          messages: [
            message('cosmos.gov.v1.MsgUpdateParams', {
              authority: authority(d),
              params: { ...params, ...change },
            }),
          ],
        })),
      },
    ),
    failsWhenPassed(
      'gov.v1.MsgUpdateParams',
      () => ({ params }),
      [
        ...shares.flatMap((name) => notShares.map((share) => ({ [name]: share }))),
        ...['threshold', 'vetoThreshold', 'expeditedThreshold'].map((name) => ({ [name]: '0' })),
        { expeditedThreshold: '0.5' },
        ...['minDeposit', 'expeditedMinDeposit'].flatMap((name) =>
          [[], [coin(0n)], [coin(-1n)], [coin(1n), coin(1n)], [coin(1n, 'x')]].map((list) => ({
            [name]: list,
          })),
        ),
        { expeditedMinDeposit: [coin(ENOUGH)] },
        ...['maxDepositPeriod', 'votingPeriod', 'expeditedVotingPeriod'].flatMap((name) =>
          [seconds(0n), seconds(-1n), undefined].map((period) => ({ [name]: period })),
        ),
        { expeditedVotingPeriod: seconds(172_800n) },
        ...notShares.map((minInitialDepositRatio) => ({ minInitialDepositRatio })),
      ].map((change) => ({ params: { ...params, ...change } })),
    ),
  ])

  scenario('that send its deposits elsewhere', fourValidators, [
    failsWhenPassed(
      'gov.v1.MsgUpdateParams',
      () => ({ params }),
      notAccounts('proposalCancelDest')
        .slice(1)
        .map((change) => (d) => ({
          params: { ...params, ...(typeof change === 'function' ? change(d) : change) },
        })),
    ),
  ])

  scenario('that change the parameters of the other modules', fourValidators, [
    failsWhenPassed(
      'consensus.v1.MsgUpdateParams',
      () => ({
        block: { maxBytes: 100_000n, maxGas: 40_000_000n },
        evidence: { maxAgeNumBlocks: 5n, maxAgeDuration: seconds(60n), maxBytes: 1000n },
        validator: { pubKeyTypes: ['ed25519'] },
      }),
      [
        { block: undefined },
        { evidence: undefined },
        { validator: undefined },
        ...[0n, -2n, 104_857_601n].map((maxBytes) => ({ block: { maxBytes, maxGas: 1n } })),
        { block: { maxBytes: 100_000n, maxGas: -2n } },
        ...[
          { maxAgeNumBlocks: 0n },
          { maxAgeNumBlocks: -1n },
          { maxAgeDuration: seconds(0n) },
          { maxBytes: -1n },
          { maxBytes: 100_001n },
        ].map((change) => ({
          evidence: { maxAgeNumBlocks: 5n, maxAgeDuration: seconds(60n), maxBytes: 1000n, ...change },
        })),
        { validator: { pubKeyTypes: [] } },
        { validator: { pubKeyTypes: ['unknown'] } },
        { abci: { voteExtensionsEnableHeight: -1n } },
        { abci: { voteExtensionsEnableHeight: 1n } },
      ],
    ),
  ])
})

import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import { formatAddress, moduleAddress } from '../../core/address.ts'
import { ED25519_URL } from '../../core/crypto/public-key.ts'
import { type Any, packAny } from '../../core/wire/registry.ts'
import { cometKey } from '../../daemon/comet/keys.ts'
import { agentKeyMessage } from '../../daemon/validator/agent-signer.ts'
import { CHAIN_ID, type User } from '../../test/kit/app/chain.ts'
import { FRX, message, pay } from '../../test/kit/app/governance.ts'
import { type Cast, denoms, sendOf } from './inputs.ts'
import { digest, operatorOf, stranger } from './transaction.ts'

/** A transaction that a block carries out, for whatever gas it takes. */
export interface Executed {
  readonly name: string
  readonly signer: (cast: Cast, turn: number) => User
  readonly messages: (cast: Cast, turn: number, by: User) => readonly Any[]
  /** It fails, when it has done its work. */
  readonly fails?: boolean
}

const afrx = (amount: bigint) => ({ denom: 'afrx', amount: amount.toString() })
let fresh = 0
/** Accounts in turns, so that a block has as many signers as may be. */
const anybody = ({ users }: Cast): User => users[1 + (fresh++ % (users.length - 1))]!
const rich = ({ users }: Cast): User => users[0]!

type Make = Executed['messages']
const by = (name: string, messages: Make, signer = anybody): Executed => ({ name, signer, messages })

const toValidator =
  (name: string, validator: (cast: Cast, i: number) => string, value: object = {}) =>
  (cast: Cast, from: User, i: number): Any =>
    message(name, { delegatorAddress: from.text, validatorAddress: validator(cast, i), ...value })

const nth = ({ validators }: Cast, i: number): string => operatorOf(validators[i % validators.length]!)
const delegate = toValidator('cosmos.staking.v1beta1.MsgDelegate', nth, { amount: afrx(FRX) })
const undelegate = toValidator('cosmos.staking.v1beta1.MsgUndelegate', nth, { amount: afrx(1_000n) })
const withdraw = toValidator('cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward', nth)

const times = (count: number, make: (i: number) => Any): Any[] =>
  Array.from({ length: count }, (_, i) => make(i))

const multiSend = (from: User, addresses: readonly string[], off = 0n): Any =>
  message('cosmos.bank.v1beta1.MsgMultiSend', {
    inputs: [{ address: from.text, coins: [afrx(BigInt(addresses.length) + off)] }],
    outputs: addresses.map((address) => ({ address, coins: [afrx(1n)] })),
  })

const addresses = (count: number, make: (i: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => make(i))

const submit = (from: User, value: object): Any =>
  message('cosmos.gov.v1.MsgSubmitProposal', {
    initialDeposit: [afrx(10n * FRX)],
    proposer: from.text,
    title: 'a',
    summary: 'b',
    metadata: 'c',
    ...value,
  })

const strangers = (count: number): string[] => addresses(count, (i) => stranger(`${fresh} ${i}`))

export const executedInputs: readonly Executed[] = [
  by('send', (_, turn, from) => [sendOf(from, stranger(`sent ${fresh} ${turn}`))]),
  by('send to one account', (_, _turn, from) => [sendOf(from, stranger('one account'))]),
  by('1,000 sends to oneself', (_, _turn, from) => times(800, () => sendOf(from, from.text))),
  by(
    'send of 1,000 denominations',
    (_, _turn, from) => [sendOf(from, stranger('one account'), denoms(1000))],
    rich,
  ),
  by('MultiSend to strangers', (_, _turn, from) => [multiSend(from, strangers(300))]),
  by('MultiSend to one stranger', (_, _turn, from) => {
    const address = stranger(`${fresh}`)
    return [
      multiSend(
        from,
        addresses(2_000, () => address),
      ),
    ]
  }),
  {
    ...by('MultiSend whose sums differ', (_, _turn, from) => [multiSend(from, strangers(5_000), 1n)]),
    fails: true,
  },
  {
    ...by('MultiSend whose last output is refused', (_, _turn, from) => [
      multiSend(from, [...strangers(5_000), formatAddress(moduleAddress('fee_collector'))]),
    ]),
    fails: true,
  },
  {
    ...by('MultiSend of more than there is', (_, _turn, from) => [
      message('cosmos.bank.v1beta1.MsgMultiSend', {
        inputs: [{ address: from.text, coins: [afrx(10n ** 30n)] }],
        outputs: [
          ...strangers(1_000).map((address) => ({ address, coins: [afrx(1n)] })),
          { address: from.text, coins: [afrx(10n ** 30n - 1_000n)] },
        ],
      }),
    ]),
    fails: true,
  },
  by('delegation', (cast, turn, from) => [delegate(cast, from, turn)]),
  by('40 delegations', (cast, turn, from) => times(40, (i) => delegate(cast, from, turn + i))),
  by('40 withdrawals', (cast, turn, from) =>
    times(20, (i) => delegate(cast, from, turn + i)).concat(times(20, (i) => withdraw(cast, from, turn + i))),
  ),
  by('delegations and 7 undelegations each', (cast, turn, from) => [
    delegate(cast, from, turn),
    ...times(30, () => undelegate(cast, from, turn)),
  ]),
  by('redelegations', (cast, turn, from) => [
    delegate(cast, from, turn),
    ...times(7, (i) =>
      message('cosmos.staking.v1beta1.MsgBeginRedelegate', {
        delegatorAddress: from.text,
        validatorSrcAddress: nth(cast, turn),
        validatorDstAddress: nth(cast, turn + i + 1),
        amount: afrx(1_000n),
      }),
    ),
  ]),
  by('new validator', (_, turn, from) => [
    message('cosmos.staking.v1beta1.MsgCreateValidator', {
      description: { moniker: 'm' },
      commission: { rate: '0', maxRate: '0', maxChangeRate: '0' },
      minSelfDelegation: '1',
      validatorAddress: operatorOf(from),
      pubkey: packAny(
        ED25519_URL.slice(1),
        PubKey.fromPartial({ key: digest(`validator ${fresh} ${turn}`) }),
      ),
      value: afrx(1n),
    }),
  ]),
  by(
    'MsgSetAgentKey',
    (_, turn, from) =>
      times(20, (i) =>
        agentKeyMessage(cometKey(digest(`agent ${fresh} ${turn} ${i}`)), CHAIN_ID, operatorOf(from)),
      ),
    ({ validators }) => validators[fresh++ % validators.length]!,
  ),
  by(
    'community pool of 500 denominations',
    (_, _turn, from) => [
      message('cosmos.distribution.v1beta1.MsgFundCommunityPool', {
        depositor: from.text,
        amount: denoms(500),
      }),
    ],
    rich,
  ),
  by('withdraw address', (_, turn, from) =>
    times(100, (i) =>
      message('cosmos.distribution.v1beta1.MsgSetWithdrawAddress', {
        delegatorAddress: from.text,
        withdrawAddress: stranger(`${turn} ${i}`),
      }),
    ),
  ),
  by('proposal', (_, _turn, from) => [submit(from, {})]),
  by('proposal of 100 payments', (_, turn, from) => [
    submit(from, { messages: times(100, (i) => pay(stranger(`${turn} ${i}`), 1n)) }),
  ]),
  by('100 deposits', (_, _turn, from) =>
    times(100, () =>
      message('cosmos.gov.v1.MsgDeposit', {
        proposalId: 1n,
        depositor: from.text,
        amount: [afrx(10n * FRX)],
      }),
    ),
  ),
  by('100 weighted votes', (_, _turn, from) =>
    times(100, () =>
      message('cosmos.gov.v1.MsgVoteWeighted', {
        proposalId: 1n,
        voter: from.text,
        options: [1, 2, 3, 4].map((option) => ({ option, weight: '0.25' })),
      }),
    ),
  ),
]

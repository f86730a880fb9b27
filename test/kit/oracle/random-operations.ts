import { pick, type Random } from '../random.ts'
import { pay, setSlashingParams, setStakingParams, spendCommunityPool } from './governance.ts'
import {
  cancelProposal,
  cancelUnbonding,
  createValidator,
  delegate,
  deposit,
  depositRewards,
  editValidator,
  fundCommunityPool,
  type Operation,
  type Option,
  redelegate,
  send,
  setWithdrawAddress,
  submitProposal,
  undelegate,
  unjail,
  vote,
  weightedVote,
  withdraw,
  withdrawCommission,
} from './messages.ts'

/** Whom operations are about, and how far the chain is. */
export interface Scene {
  readonly people: readonly string[]
  readonly validators: readonly string[]
  readonly candidates: readonly string[]
  /** A delegation that exists on the oracle, most of the time. */
  readonly delegation: () => Promise<readonly [delegator: string, validator: string]>
  /** An unbonding entry that exists on the oracle, if there is one. */
  readonly unbonding: () => Promise<readonly [delegator: string, validator: string, height: bigint]>
  readonly proposals: bigint
}

type Make = (random: Random, scene: Scene) => Promise<Operation> | Operation

/** Small and large, odd and round. */
const amount = (random: Random): bigint =>
  pick(random, [
    () => BigInt(1 + random(9)),
    () => BigInt(1 + random(99_999)),
    () => BigInt(1 + random(2_000_000)),
    () => BigInt(1 + random(2_000_000)),
    () => 1_000_000n * BigInt(1 + random(8)),
  ])()

const rate = (random: Random, below: number): string => `0.${String(random(below)).padStart(4, '0')}`
const anyOf = ({ validators, candidates }: Scene): readonly string[] => [...validators, ...candidates]
const recent = (random: Random, { proposals }: Scene): bigint => {
  const id = proposals - BigInt(random(3))
  return id < 1n ? 1n : id
}
const OPTIONS: readonly Option[] = ['yes', 'yes', 'yes', 'no', 'abstain', 'veto']

const propose: Make = (random, { people }) =>
  submitProposal(pick(random, people), {
    deposit: pick(random, [10_000_000n, 10_000_000n, 50_000_000n, 1_000_000n]),
    expedited: random(4) === 0,
    ...pick(random, [
      {},
      { messages: spendCommunityPool(pick(random, people), amount(random)) },
      { messages: pay(pick(random, people), amount(random)) },
      { messages: setStakingParams({ maxValidators: 3 + random(3), maxEntries: 3 + random(5) }) },
      { messages: setSlashingParams({ signedBlocksWindow: BigInt(10 + random(20)) }) },
    ]),
  })

/** Each with how often it comes. */
const kinds: readonly (readonly [weight: number, make: Make])[] = [
  [16, (r, s) => delegate(pick(r, s.people), pick(r, anyOf(s)), amount(r))],
  [12, async (r, s) => undelegate(...(await s.delegation()), amount(r))],
  [
    12,
    async (r, s) => {
      const [who, from] = await s.delegation()
      return redelegate(who, from, pick(r, anyOf(s)), amount(r))
    },
  ],
  [
    6,
    async (r, s) => {
      const [who, validator, height] = await s.unbonding()
      return cancelUnbonding(who, validator, amount(r), height)
    },
  ],
  [8, async (_, s) => withdraw(...(await s.delegation()))],
  [5, (r, s) => withdrawCommission(pick(r, s.validators))],
  [
    14,
    (r, s) => send(pick(r, s.people), pick(r, s.people), amount(r), amount(r), r(3) === 0 ? amount(r) : 0n),
  ],
  [2, (r, s) => setWithdrawAddress(pick(r, s.people), pick(r, s.people))],
  [2, (r, s) => fundCommunityPool(pick(r, s.people), amount(r))],
  [2, (r, s) => depositRewards(pick(r, s.people), pick(r, s.validators), amount(r))],
  [8, (r, s) => unjail(pick(r, anyOf(s)))],
  [
    3,
    (r, s) => createValidator(pick(r, s.candidates), { tokens: 1_000_000n + amount(r), rate: rate(r, 5000) }),
  ],
  [3, (r, s) => editValidator(pick(r, anyOf(s)), { rate: rate(r, 2000) })],
  [5, propose],
  [3, (r, s) => deposit(pick(r, s.people), recent(r, s), amount(r))],
  [
    24,
    (r, s) => vote(pick(r, [...s.validators, ...s.validators, ...s.people]), recent(r, s), pick(r, OPTIONS)),
  ],
  [2, (r, s) => weightedVote(pick(r, s.people), recent(r, s), { yes: '0.6', no: '0.3', abstain: '0.1' })],
  [1, (r, s) => cancelProposal(pick(r, s.people), recent(r, s))],
]

const lots = kinds.flatMap(([weight, make]) => Array.from({ length: weight }, () => make))

/** One operation; it may well be refused. */
export const randomOperation = async (random: Random, scene: Scene): Promise<Operation> =>
  pick(random, lots)(random, scene)

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
} from '../oracle/messages.ts'
import { pick, type Random } from '../random.ts'

/** Who takes part in a simulation. Stalwarts never sleep, sign twice or act, so that the chain never ends. */
export interface Cast {
  readonly stalwarts: readonly string[]
  readonly validators: readonly string[]
  readonly people: readonly string[]
}

interface Dice {
  readonly random: Random
  readonly cast: Cast
  readonly height: bigint
}

/** Mostly small, at times 0, odd or more than anybody has. */
function amount({ random }: Dice): bigint {
  const size = random(20)
  if (size === 0) return 0n
  if (size === 1) return 10n ** 15n
  if (size < 6) return BigInt(1 + random(9))
  return BigInt(1 + random(10 ** (2 + random(6))))
}

const operatorOf = ({ random, cast }: Dice): string => pick(random, [...cast.stalwarts, ...cast.validators])
const actorOf = ({ random, cast }: Dice): string => pick(random, [...cast.validators, ...cast.people])
/** Of proposals that there may be. */
const proposalOf = ({ random, height }: Dice): bigint => BigInt(1 + random(Number(height / 8n) + 2))
const recentHeight = ({ random, height }: Dice): bigint => height - BigInt(random(12))
const percent = (n: number): string => (n / 100).toFixed(2)

/** Each kind of operation of one module, as often as it stands here. */
const kinds: Readonly<Record<string, readonly ((dice: Dice) => Operation)[]>> = {
  bank: [
    (d) => send(actorOf(d), actorOf(d), amount(d), BigInt(d.random(5000))),
    (d) => send(actorOf(d), actorOf(d), amount(d), BigInt(d.random(3))),
  ],
  staking: [
    (d) => delegate(actorOf(d), operatorOf(d), amount(d)),
    (d) => delegate(actorOf(d), operatorOf(d), amount(d)),
    (d) => delegate(actorOf(d), operatorOf(d), amount(d)),
    (d) => undelegate(actorOf(d), operatorOf(d), amount(d)),
    (d) => undelegate(actorOf(d), operatorOf(d), amount(d)),
    (d) => redelegate(actorOf(d), operatorOf(d), operatorOf(d), amount(d)),
    (d) => redelegate(actorOf(d), operatorOf(d), operatorOf(d), amount(d)),
    (d) => cancelUnbonding(actorOf(d), operatorOf(d), amount(d), recentHeight(d)),
    (d) =>
      createValidator(pick(d.random, d.cast.validators), {
        tokens: amount(d),
        rate: percent(d.random(60)),
        maxRate: percent(d.random(110)),
        maxChangeRate: percent(d.random(20)),
        minSelfDelegation: BigInt(1 + d.random(1000)),
      }),
    (d) => {
      const who = pick(d.random, d.cast.validators)
      if (d.random(2) === 0) return editValidator(who, { rate: percent(d.random(110)) })
      return editValidator(who, { minSelfDelegation: BigInt(d.random(100_000)), moniker: `m${d.random(9)}` })
    },
  ],
  distribution: [
    (d) => withdraw(actorOf(d), operatorOf(d)),
    (d) => withdraw(actorOf(d), operatorOf(d)),
    (d) => withdrawCommission(pick(d.random, d.cast.validators)),
    (d) => setWithdrawAddress(actorOf(d), pick(d.random, [...d.cast.people, 'module:distribution'])),
    (d) => fundCommunityPool(actorOf(d), amount(d)),
    (d) => depositRewards(actorOf(d), operatorOf(d), amount(d)),
  ],
  slashing: [
    (d) => unjail(pick(d.random, d.cast.validators)),
    (d) => unjail(pick(d.random, d.cast.validators)),
  ],
  gov: [
    (d) => submitProposal(actorOf(d), { deposit: amount(d), expedited: d.random(4) === 0 }),
    (d) => deposit(actorOf(d), proposalOf(d), amount(d)),
    (d) => vote(actorOf(d), proposalOf(d), pick(d.random, ['yes', 'no', 'abstain', 'veto'] as const)),
    (d) => vote(actorOf(d), proposalOf(d), 'yes'),
    (d) => {
      const yes = d.random(101)
      return weightedVote(actorOf(d), proposalOf(d), { yes: percent(yes), veto: percent(100 - yes) })
    },
    (d) => cancelProposal(actorOf(d), proposalOf(d)),
  ],
}

/** A random operation of one of the modules. */
export function randomOperation(
  random: Random,
  cast: Cast,
  height: bigint,
  modules: readonly string[],
): Operation {
  const among = modules.flatMap((name) => kinds[name] ?? [])
  return pick(random, among)({ random, cast, height })
}

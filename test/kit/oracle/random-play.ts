import { pick, type Random, randomness } from '../random.ts'
import { account, operatorAddress } from './cast.ts'
import type { BlockPlan } from './consensus.ts'
import type { ChainDescription } from './genesis.ts'
import { type Operation, send } from './messages.ts'
import { randomOperation, type Scene } from './random-operations.ts'
import { DAY, SECOND } from './scenario.ts'
import { ask, type Question } from './state.ts'
import type { Twins } from './twins.ts'

/** Every so many blocks the states are compared; `ORACLE_EACH=1` finds the very block that parted them. */
const EACH = Number(process.env['ORACLE_EACH'] ?? 10)

/** Plays so many blocks of random operations, sleeping validators, evidence and leaps in time. */
export async function playAtRandom(
  twins: Twins,
  description: ChainDescription,
  seed: number,
  count: number,
): Promise<void> {
  const random = randomness(seed)
  const sleepers = new Sleepers(random, Object.keys(description.validators))
  await twins.block([])
  // A proposal that pays more than governance owns beside the deposits halts the SDK when they are due.
  await twins.block([send(Object.keys(description.accounts)[0]!, 'module:gov', 10_000_000_000n)])
  for (let n = 1; n <= count; n++) {
    const scene = sceneOf(twins, description, random)
    const operations: Operation[] = []
    for (let i = random(5); i > 0; i--) operations.push(await randomOperation(random, scene))
    const plan = { ...leap(random), absent: sleepers.next(), ...evidence(random, twins, scene) }
    const told = JSON.stringify(plan, (_, v) => (typeof v === 'bigint' ? `${v}` : v))
    const texts = operations.map((o) => o.text).join('; ')
    twins.now = `SEED=${seed}, block ${n} of ${count}: ${texts} ${told}`
    await twins.block(operations, plan)
    if (n % EACH === 0) await twins.compare()
  }
  await twins.compare('everything')
}

/** A validator at a time that stops voting, for a while or until it is jailed. */
class Sleepers {
  readonly #random: Random
  readonly #names: readonly string[]
  #asleep: string[] = []

  constructor(random: Random, names: readonly string[]) {
    this.#random = random
    this.#names = names
  }

  next(): string[] {
    if (this.#random(15) === 0) this.#asleep = this.#random(2) === 0 ? [] : [pick(this.#random, this.#names)]
    return this.#asleep
  }
}

/** Mostly five seconds, sometimes minutes, days or the unbonding time. */
function leap(random: Random): Pick<BlockPlan, 'afterNs'> {
  const n = random(60)
  if (n < 4) return { afterNs: 601n * SECOND + BigInt(random(1_000_000)) }
  if (n < 6) return { afterNs: DAY + BigInt(random(1_000_000_000)) }
  return n === 7 ? { afterNs: 11n * DAY } : {}
}

/** Evidence against the validators of a recent height; not often, for each is the end of one. */
function evidence(random: Random, twins: Twins, { validators }: Scene): Pick<BlockPlan, 'equivocations'> {
  if (random(120) !== 0 || twins.height < 10n) return {}
  const height = twins.height - BigInt(random(8))
  const validator = pick(random, validators)
  const tooFew = validators.filter((name) => twins.consensus.validated(name, twins.height)).length < 3
  return tooFew || !twins.consensus.validated(validator, height)
    ? {}
    : { equivocations: [{ validator, height }] }
}

export function sceneOf(
  twins: Twins,
  { accounts, validators, candidates = [] }: ChainDescription,
  random: Random,
): Scene {
  const people = Object.keys(accounts)
  const operators = [...Object.keys(validators), ...candidates]
  return {
    people,
    validators: Object.keys(validators),
    candidates,
    proposals: twins.proposalCount,
    async delegation() {
      const who = pick(random, [...people, ...Object.keys(validators)])
      const to = await delegatedTo(twins, who)
      return [who, pick(random, to.length > 0 && random(10) > 0 ? to : operators)]
    },
    async unbonding() {
      const who = pick(random, [...people, ...Object.keys(validators)])
      const entries = await unbondingOf(twins, who)
      return [who, ...(entries.length > 0 ? pick(random, entries) : ([pick(random, operators), 1n] as const))]
    },
  }
  /** Names of those that the person has delegated to, on the oracle. */
  async function delegatedTo({ left }: Twins, name: string): Promise<string[]> {
    const { delegationResponses = [] } = (await ask(
      left,
      ofDelegator('DelegatorDelegations', name),
    )) as Delegations
    const found = new Set(delegationResponses.map((r) => r.delegation.validatorAddress))
    return operators.filter((operator) => found.has(operatorAddress(left.dialect, operator)))
  }
  async function unbondingOf({ left }: Twins, name: string): Promise<(readonly [string, bigint])[]> {
    const { unbondingResponses = [] } = (await ask(
      left,
      ofDelegator('DelegatorUnbondingDelegations', name),
    )) as Unbondings
    return unbondingResponses.flatMap(({ validatorAddress, entries }) => {
      const operator = operators.find((o) => operatorAddress(left.dialect, o) === validatorAddress)
      return operator === undefined ? [] : entries.map((e) => [operator, BigInt(e.creationHeight)] as const)
    })
  }
}

interface Delegations {
  readonly delegationResponses?: readonly { readonly delegation: { readonly validatorAddress: string } }[]
}
interface Unbondings {
  readonly unbondingResponses?: readonly {
    readonly validatorAddress: string
    readonly entries: readonly { readonly creationHeight: string }[]
  }[]
}

const ofDelegator = (method: string, name: string): Question => ({
  method: `staking.v1beta1.Query/${method}`,
  about: name,
  request: (d) => ({ delegatorAddr: account(d, name) }),
})

import * as legacyGov from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import * as legacy from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import { toHex } from '../../../core/bytes.ts'
import { registerTypes } from '../../../core/wire/registry.ts'
import { pick, type Random, randomness } from '../random.ts'
import { account, DENOM } from './cast.ts'
import type { Dialect } from './dialect.ts'
import type { ChainDescription } from './genesis.ts'
import {
  setDistributionParams,
  setGovParams,
  setSlashingParams,
  setStakingParams,
  spendCommunityPool,
} from './governance.ts'
import { createValidator, message, type Operation, submitProposal } from './messages.ts'
import { randomOperation, type Scene } from './random-operations.ts'
import { sceneOf } from './random-play.ts'
import type { Twins } from './twins.ts'
import { mutatedAnyMessage } from './wire-mutation.ts'

registerTypes(legacy, legacyGov)

const operation = (signer: string, name: string, value: (d: Dialect) => object): Operation => ({
  signer,
  text: `${signer}: ${name}`,
  messages: (d) => [message(`cosmos.${name}`, value(d))],
})

const coins = [{ denom: DENOM, amount: '200000' }]

type Make = (random: Random, scene: Scene) => Operation

/** A message that somebody sends, whose account is in the field `signer`. */
const sentBy =
  (name: string, signer: string, value: object): Make =>
  (random, { people }) => {
    const who = pick(random, people)
    return operation(who, name, (d) => ({ ...value, [signer]: account(d, who) }))
  }

const text = message('cosmos.gov.v1beta1.TextProposal', { title: 'a', description: 'b' })
const acts = [
  setStakingParams({}),
  setSlashingParams({}),
  setGovParams({}),
  setDistributionParams({ communityTax: '0.02' }),
  spendCommunityPool('alice', 1n),
]

/** Messages that random play has not: the older ones of governance, and those that governance alone may send. */
const others: readonly Make[] = [
  sentBy('gov.v1beta1.MsgSubmitProposal', 'proposer', { content: text, initialDeposit: coins }),
  sentBy('gov.v1beta1.MsgDeposit', 'depositor', { proposalId: 1n, amount: coins }),
  sentBy('gov.v1beta1.MsgVote', 'voter', { proposalId: 1n, option: 1 }),
  sentBy('gov.v1beta1.MsgVoteWeighted', 'voter', {
    proposalId: 1n,
    options: [{ option: 1, weight: '1000000000000000000' }],
  }),
  sentBy('gov.v1.MsgExecLegacyContent', 'authority', { content: text }),
  (r, { people }) => ({ signer: pick(r, people), text: 'acts as governance', messages: pick(r, acts) }),
  (r, { people }) =>
    submitProposal(pick(r, people), { title: 'an act', deposit: 200_000n, messages: pick(r, acts) }),
  (r, { people }) => createValidator(pick(r, people), { tokens: 1_000_000n, key: `another ${r(1000)}` }),
]

/** A valid message's operation with one field of it changed to something hostile; now and then the valid one. */
async function hostileOperation(random: Random, scene: Scene): Promise<Operation> {
  const valid = random(4) === 0 ? pick(random, others)(random, scene) : await randomOperation(random, scene)
  const seed = random(2 ** 31)
  const messages = (d: Dialect) =>
    seed % 12 === 0
      ? valid.messages(d)
      : valid.messages(d).map((any) => mutatedAnyMessage(randomness(seed), d, any))
  const told = messages('cosmos').map(({ typeUrl, value }) => `${typeUrl} ${toHex(value)}`)
  return { ...valid, text: `${valid.text}, as ${told}`, messages }
}

/** Every so many blocks the states are compared; `ORACLE_EACH=1` finds the very block that parted them. */
const EACH = Number(process.env['ORACLE_EACH'] ?? 20)

/** Plays so many blocks of hostile transactions. Time hardly passes, so that no proposal is carried out. */
export async function playHostile(
  twins: Twins,
  description: ChainDescription,
  seed: number,
  count: number,
  onDifference: (error: Error) => void = (error) => {
    throw error
  },
): Promise<void> {
  const random = randomness(seed)
  await twins.block([])
  for (let n = 1; n <= count; n++) {
    const scene = sceneOf(twins, description, random)
    // One of a signer: what is no transaction does not use up its sequence.
    const bySigner = new Map<string, Operation>()
    for (let i = 0; i < 4; i++) {
      const next = await hostileOperation(random, scene)
      bySigner.set(next.signer, next)
    }
    const operations = [...bySigner.values()]
    twins.now = `SEED=${seed}, block ${n} of ${count}: ${operations.map((o) => o.text).join('; ')}`
    try {
      await twins.block(operations)
      if (n % EACH === 0) await twins.compare()
    } catch (e) {
      onDifference(e as Error)
    }
  }
  await twins.compare('everything')
}

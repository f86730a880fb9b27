import type { Any } from '../../core/wire/registry.ts'
import { DAY_NS, FRX, message } from '../../test/kit/app/governance.ts'
import type { Idle } from './blocks.ts'
import type { PlayedBlock, Subject } from './subject.ts'
import { operatorOf, transaction } from './transaction.ts'

/** Work that waits in state for the end of some later block. */
export interface Queued {
  readonly name: string
  readonly entries: number
  /** Processor time of the block that does it, beyond an idle one's. */
  readonly ms: number
  /** That was paid for it in earlier blocks. */
  readonly gas: number
}

const GAS = 700_000n
const PEOPLE = 1_000
const afrx = (amount: bigint) => ({ denom: 'afrx', amount: amount.toString() })

/** Blocks in which the first `people` users send these messages, once each; answers the gas they took. */
async function everybody(
  subject: Subject,
  people: number,
  messages: (text: string, i: number) => readonly Any[],
): Promise<number> {
  let gas = 0
  for (let from = 0; from < people; from += 140) {
    const senders = subject.users.slice(1 + from, 1 + Math.min(people, from + 140))
    const txs = senders.map((by, i) =>
      transaction(by, messages(by.text, from + i), { gas: GAS, isSigned: true }),
    )
    const { answer } = await subject.play(txs)
    for (const [i, { code, gasUsed, log }] of answer.txResults.entries()) {
      if (code !== 0) throw new Error(`queued work: ${log}`)
      gas += Number(gasUsed)
      senders[i]!.sequence++
    }
  }
  return gas
}

const beyond = (idle: Idle, { finalizeMs, commitMs }: PlayedBlock): number =>
  finalizeMs + commitMs - idle.finalizeMs

/** A proposal that is voted on, by its number. */
async function propose(subject: Subject): Promise<bigint> {
  const proposer = subject.users[0]!
  const submitted = await subject.play([
    transaction(
      proposer,
      [
        message('cosmos.gov.v1.MsgSubmitProposal', {
          proposer: proposer.text,
          initialDeposit: [afrx(10n * FRX)],
          title: 'a',
          summary: 'b',
          metadata: 'c',
        }),
      ],
      { gas: GAS, isSigned: true },
    ),
  ])
  if (submitted.answer.txResults[0]!.code !== 0) throw new Error(submitted.answer.txResults[0]!.log)
  proposer.sequence++
  const { proposals } = await subject.chain.query<{ proposals: { id: bigint }[] }>(
    '/cosmos.gov.v1.Query/Proposals',
    { pagination: { reverse: true, limit: 1n } },
  )
  return proposals[0]!.id
}

/** Votes on one proposal that end together, deposits that come back, and stake that is free at once. */
export async function queuedWork(subject: Subject, idle: Idle): Promise<Queued[]> {
  const validator = (i: number): string => operatorOf(subject.validators[i % subject.validators.length]!)
  const stake = await everybody(subject, PEOPLE, (delegatorAddress, i) => [
    message('cosmos.staking.v1beta1.MsgDelegate', {
      delegatorAddress,
      validatorAddress: validator(i),
      amount: afrx(FRX),
    }),
  ])
  // What is in state from before is done first.
  await subject.play([], { afterNs: 30n * DAY_NS })
  const voted = await propose(subject)
  const votes = await everybody(subject, PEOPLE, (voter) => [
    message('cosmos.gov.v1.MsgVoteWeighted', {
      proposalId: voted,
      voter,
      options: [1, 2, 3, 4].map((option) => ({ option, weight: '0.25' })),
    }),
  ])
  const tallied = await subject.play([], { afterNs: 10n * DAY_NS })
  const funded = await propose(subject)
  const deposits = await everybody(subject, PEOPLE, (depositor) => [
    message('cosmos.gov.v1.MsgDeposit', { proposalId: funded, depositor, amount: [afrx(FRX)] }),
  ])
  const refunded = await subject.play([], { afterNs: 10n * DAY_NS })
  const unstake = await everybody(subject, PEOPLE, (delegatorAddress, i) => [
    message('cosmos.staking.v1beta1.MsgUndelegate', {
      delegatorAddress,
      validatorAddress: validator(i),
      amount: afrx(1_000n),
    }),
  ])
  const freed = await subject.play([], { afterNs: 30n * DAY_NS })
  return [
    { name: 'votes of delegators, tallied', entries: PEOPLE, ms: beyond(idle, tallied), gas: votes + stake },
    { name: 'deposits that come back', entries: PEOPLE, ms: beyond(idle, refunded), gas: deposits },
    { name: 'undelegations that mature', entries: PEOPLE, ms: beyond(idle, freed), gas: unstake },
  ]
}

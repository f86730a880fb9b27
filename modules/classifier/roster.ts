import type { Address } from '../../core/address.ts'
import { compareBytes, equalBytes, toLatin1 } from '../../core/bytes.ts'
import type { Context, Vote } from '../../core/context.ts'
import { parsePublicKey } from '../../core/crypto/public-key.ts'
import type { Roster, ValidatorRecord } from '../../proto/gen/fornax/classifier/v1/classifier.ts'
import { ValidatorRecord as RecordType } from '../../proto/gen/fornax/classifier/v1/classifier.ts'
import {
  consensusAddressOf,
  operatorOf,
  validatorByConsensusAddress,
  validator as validatorOf,
} from '../staking/api.ts'
import { keepMarks, takeMarks } from './kept-marks.ts'
import * as state from './state.ts'

/** Blocks for which one that left the set stays on the roster. */
const BLOCKS_AFTER_LEAVING = 16n
/** CometBFT lets a newcomer wait 1.125 rounds of turns. */
export const FIRST_TURN = -81_920
/** Who comes back within 16 blocks has waited for as long again, and lost the turn that it may have been owed. */
const TURNS_OF_RETURN = 147_456

const EMPTY: Readonly<Roster> = Object.freeze({
  records: [],
  networkOmissions: 0,
  proposers: [],
  previous: [],
})

export const rosterOf = (ctx: Context): Readonly<Roster> => state.roster.get(ctx) ?? EMPTY

/** A validator's record, by its operator address. */
export const recordOf = (ctx: Context, operator: Address): Readonly<ValidatorRecord> | undefined =>
  rosterOf(ctx).records.find((record) => equalBytes(record.operator, operator))

/** Counts a piece of accepted evidence against the validator with this consensus address. */
export function noteEvidence(ctx: Context, consensus: Address): void {
  changeRecords(ctx, (record) =>
    equalBytes(record.address, consensus) ? { ...record, evidence: record.evidence + 1 } : record,
  )
}

/** Forgets what there is against a validator, as governance pardons it. */
export function forgetEvidence(ctx: Context, operator: Address): void {
  changeRecords(ctx, (record) =>
    equalBytes(record.operator, operator)
      ? { ...record, evidence: 0, deviant: 0n, disagreement: 0n, disagreementLong: 0 }
      : record,
  )
  const v = validatorOf(ctx, operator)
  if (v !== undefined) takeMarks(ctx, consensusAddressOf(v))
}

function changeRecords(ctx: Context, change: (record: ValidatorRecord) => ValidatorRecord): void {
  const roster = rosterOf(ctx)
  state.roster.set(ctx, { ...roster, records: roster.records.map(change) })
}

function newRecord(ctx: Context, vote: Vote): ValidatorRecord | undefined {
  const validator = validatorByConsensusAddress(ctx, vote.address)
  if (validator === undefined) return undefined
  return RecordType.fromPartial({
    address: vote.address,
    pubKey: parsePublicKeyBytes(validator.consensusPubkey!),
    operator: operatorOf(validator),
    ...takeMarks(ctx, vote.address),
    turns: FIRST_TURN,
  })
}

function parsePublicKeyBytes(any: Parameters<typeof parsePublicKey>[0]): Uint8Array {
  const key = parsePublicKey(any)
  return key.kind === 'ed25519' ? key.key : new Uint8Array(0)
}

/**
 * The roster's records for this block, by consensus address: those that voted, new ones for newcomers, and those that
 * left no more than 16 blocks ago. Copies, which the caller may change.
 */
export function membersOf(ctx: Context, before: Readonly<Roster>): Map<string, ValidatorRecord> {
  const known = new Map(before.records.map((record) => [toLatin1(record.address), record]))
  const members: ValidatorRecord[] = []
  const voting = new Set<string>()
  for (const vote of ctx.block.votes) {
    const id = toLatin1(vote.address)
    const old = known.get(id)
    const record = old ?? newRecord(ctx, vote)
    if (record === undefined) continue
    voting.add(id)
    const turns = record.leftAt === 0n ? record.turns : Math.max(FIRST_TURN, record.turns - TURNS_OF_RETURN)
    members.push({ ...record, turns, power: vote.power, leftAt: 0n })
  }
  for (const [id, record] of known) {
    if (voting.has(id)) continue
    const leftAt = record.leftAt === 0n ? ctx.height : record.leftAt
    if (ctx.height - leftAt < BLOCKS_AFTER_LEAVING) members.push({ ...record, leftAt, disagreed: false })
    else keepMarks(ctx, record)
  }
  members.sort((a, b) => compareBytes(a.address, b.address))
  return new Map(members.map((record) => [toLatin1(record.address), record]))
}

import type { Address } from '../../core/address.ts'
import { compareBytes, equalBytes, toLatin1 } from '../../core/bytes.ts'
import type { Context, Vote } from '../../core/context.ts'
import { parsePublicKey } from '../../core/crypto/public-key.ts'
import type { Roster, ValidatorRecord } from '../../proto/gen/fornax/classifier/v1/classifier.ts'
import { ValidatorRecord as RecordType } from '../../proto/gen/fornax/classifier/v1/classifier.ts'
import { isHeldInJail } from '../slashing/api.ts'
import {
  consensusAddressOf,
  operatorOf,
  validatorByConsensusAddress,
  validator as validatorOf,
} from '../staking/api.ts'
import { begunAnew, FIRST_TURN, keepRecord, takeRecord } from './former-members.ts'
import { MAX_SCORES } from './report.ts'
import * as state from './state.ts'

/** Blocks for which one that left the set stays on the roster. */
const BLOCKS_AFTER_LEAVING = 16n
/** Who comes back has waited as a newcomer does, and lost the turn that it may have been owed. */
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

/** Blocks that a member has been in the set for, since it joined or came back. */
export const blocksSinceJoining = (ctx: Context, { joinedAt }: Readonly<ValidatorRecord>): number =>
  Number(ctx.height - joinedAt) + 1

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
  if (v !== undefined) takeRecord(ctx, consensusAddressOf(v))
}

function changeRecords(ctx: Context, change: (record: ValidatorRecord) => ValidatorRecord): void {
  const roster = rosterOf(ctx)
  state.roster.set(ctx, { ...roster, records: roster.records.map(change) })
}

/**
 * The record of one that comes, or comes back: on from `left`, the one that it had. Nothing for whom staking does not know.
 */
function newRecord(
  ctx: Context,
  { address }: Vote,
  left: ValidatorRecord | undefined,
): ValidatorRecord | undefined {
  const validator = validatorByConsensusAddress(ctx, address)
  if (validator === undefined) return undefined
  return {
    ...(left ?? RecordType.fromPartial({ turns: FIRST_TURN })),
    address,
    pubKey: parsePublicKeyBytes(validator.consensusPubkey!),
    operator: operatorOf(validator),
    joinedAt: ctx.height,
  }
}

/** The record with which a vote of this block goes on. */
function recordOfVoter(
  ctx: Context,
  vote: Vote,
  old: ValidatorRecord | undefined,
): ValidatorRecord | undefined {
  if (old === undefined) return newRecord(ctx, vote, takeRecord(ctx, vote.address))
  return old.leftAt !== 0n && old.heldInJail ? newRecord(ctx, vote, begunAnew(old)) : old
}

function parsePublicKeyBytes(any: Parameters<typeof parsePublicKey>[0]): Uint8Array {
  const key = parsePublicKey(any)
  return key.kind === 'ed25519' ? key.key : new Uint8Array(0)
}

/** A record in the first block that lacks its vote. */
const leaving = (ctx: Context, record: ValidatorRecord): ValidatorRecord => ({
  ...record,
  leftAt: ctx.height,
  heldInJail: isHeldInJail(ctx, record.address as Address),
  disagreed: false,
})

/**
 * The roster's records for this block, by consensus address: those that voted, with newcomers, and those that left no
 * more than 16 blocks ago, the latest first, as far as a report has room for them. Copies, which the caller may change.
 */
export function membersOf(ctx: Context, before: Readonly<Roster>): Map<string, ValidatorRecord> {
  const known = new Map(before.records.map((record) => [toLatin1(record.address), record]))
  const members: ValidatorRecord[] = []
  const voting = new Set<string>()
  for (const vote of ctx.block.votes) {
    const id = toLatin1(vote.address)
    const record = recordOfVoter(ctx, vote, known.get(id))
    if (record === undefined) continue
    voting.add(id)
    const turns = record.leftAt === 0n ? record.turns : Math.max(FIRST_TURN, record.turns - TURNS_OF_RETURN)
    members.push({ ...record, turns, power: vote.power, leftAt: 0n, heldInJail: false })
  }
  const room = MAX_SCORES - members.length
  const left = [...known].flatMap(([id, record]) =>
    voting.has(id) ? [] : [record.leftAt === 0n ? leaving(ctx, record) : record],
  )
  left.sort((a, b) => Number(b.leftAt - a.leftAt))
  for (const [i, record] of left.entries())
    if (i < room && ctx.height - record.leftAt < BLOCKS_AFTER_LEAVING) members.push(record)
    else keepRecord(ctx, record)
  members.sort((a, b) => compareBytes(a.address, b.address))
  return new Map(members.map((record) => [toLatin1(record.address), record]))
}

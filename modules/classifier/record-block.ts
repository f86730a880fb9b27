import { toLatin1 } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import type { Roster, ValidatorRecord } from '../../proto/gen/fornax/classifier/v1/classifier.ts'
import * as ring from './bit-ring.ts'
import { WINDOW, withBit } from './bit-window.ts'
import { FIRST_TURN } from './former-members.ts'
import type { Judgement } from './judgement.ts'
import { membersOf, rosterOf } from './roster.ts'
import * as state from './state.ts'
import { votesLost, witnessesOf } from './witness.ts'

const TURN = 65_536
export const MOST_TURNS = 16 * TURN
/** An average of 1. */
export const FULL = 1 << 20
/** Blocks between two steps of `lost_long`. */
const LOST_EVERY = 16n
/** A miss counts against the proposer where the blocks before it had none. */
const FRESH = 0xffn
const FRESH_BLOCKS = 8

/**
 * Puts into the records what the block tells of each validator, and the scores that its reports agree on. The rules are
 * those of docs/classifier.md.
 */
export function recordBlock(ctx: Context, { verdicts, scores }: Judgement): void {
  const before = rosterOf(ctx)
  const members = membersOf(ctx, before)
  const { votes, proposer } = ctx.block
  const totalPower = votes.reduce((sum, vote) => sum + vote.power, 0n)
  for (const record of members.values()) forgetOldest(record, ctx.height)
  let fresh = 0
  for (const [i, { address, flag, power }] of votes.entries()) {
    const record = members.get(toLatin1(address))
    if (record === undefined) continue
    const missed = flag === 'absent'
    const lost = missed || flag === 'nil'
    if (missed && record.age >= FRESH_BLOCKS && (record.missed & FRESH) === 0n) fresh++
    const verdict = verdicts[i]
    const disagrees = verdict === 'disagrees'
    record.missed = ring.push(record.missed, missed)
    record.nil = ring.push(record.nil, flag === 'nil')
    record.deviant = ring.push(record.deviant, verdict === 'unusable')
    record.disagreement = ring.push(record.disagreement, disagrees)
    record.disagreed = verdict === 'unusable' || disagrees || verdict === 'strays'
    record.missedLong += ((lost ? FULL : 0) - record.missedLong) >> 11
    record.disagreementLong += ((disagrees ? FULL : 0) - record.disagreementLong) >> 10
    if (missed) record.missedWindow = withBit(record.missedWindow, ctx.height, true)
    if (flag === 'nil') record.nilWindow = withBit(record.nilWindow, ctx.height - 1n, true)
    record.streak = lost ? record.streak + 1 : 0
    record.age++
    if (flag !== 'commit') continue
    const due = totalPower === 0n ? 0 : Number((power * BigInt(TURN)) / totalPower)
    record.turns = Math.min(MOST_TURNS, record.turns + due)
  }
  const share = votes.length === 0 ? 0 : Math.floor((1000 * fresh) / votes.length)
  const proposing = members.get(toLatin1(proposer))
  if (proposing !== undefined) recordProposal(proposing, share)
  for (const [id, score] of scores) {
    const record = members.get(id)
    if (record !== undefined) record.score = score
  }
  const after: Roster = {
    records: [...members.values()],
    networkOmissions: before.networkOmissions + ((256 * share - before.networkOmissions) >> 6),
    proposers: [...before.proposers, proposer].slice(-WINDOW),
    previous: before.records.map((record) => record.address),
  }
  if (ctx.height % LOST_EVERY === 0n) averageLost(ctx.height, after)
  state.roster.set(ctx, after)
}

function averageLost(height: bigint, roster: Roster): void {
  const witnesses = witnessesOf(height, roster)
  for (const record of roster.records)
    record.lostLong += (2_048 * votesLost(record, witnesses) - record.lostLong) >> 7
}

/** Clears the place of the oldest block in the windows for this one; a nil vote on this one comes with the next. */
function forgetOldest(record: ValidatorRecord, height: bigint): void {
  record.missedWindow = withBit(record.missedWindow, height, false)
  record.nilWindow = withBit(record.nilWindow, height, false)
}

/** One turn taken, and two more made good that it missed. */
function takenOf(turns: number): number {
  const left = turns - TURN
  return Math.max(FIRST_TURN, left > 0 ? Math.max(0, left - 2 * TURN) : left)
}

function recordProposal(record: ValidatorRecord, share: number): void {
  record.turns = takenOf(record.turns)
  record.omissions += (16 * share - record.omissions) >> 2
}

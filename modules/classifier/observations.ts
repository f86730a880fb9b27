import { equalBytes, toLatin1 } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import type { ValidatorRecord } from '../../proto/gen/fornax/classifier/v1/classifier.ts'
import * as ring from './bit-ring.ts'
import { WINDOW, withMark } from './bit-window.ts'
import { forgetOldMarks } from './kept-marks.ts'
import { type Judgement, judgeReports } from './reports.ts'
import { FIRST_TURN, membersOf, rosterOf } from './roster.ts'
import * as state from './state.ts'

const ABSENT = 1
const COMMIT = 2
const NIL = 3
const TURN = 65_536
const MOST_TURNS = 8 * TURN
/** A miss counts against the proposer where the blocks before it had none. */
const FRESH = 0xffn
const FRESH_BLOCKS = 8

/** Writes down what the last commit tells of each validator, and the scores that its reports agree on. */
export function observe(ctx: Context): void {
  forgetOldMarks(ctx)
  record(ctx, judgeReports(ctx))
}

/** The rules of docs/classifier.md. */
export function record(ctx: Context, { verdicts, scores }: Judgement): void {
  const before = rosterOf(ctx)
  const members = membersOf(ctx, before)
  const { votes, proposer } = ctx.block
  const totalPower = votes.reduce((sum, vote) => sum + vote.power, 0n)
  for (const record of members.values()) forgetOldest(record, ctx.height)
  let fresh = 0
  for (const [i, { address, flag, power }] of votes.entries()) {
    const record = members.get(toLatin1(address))
    if (record === undefined) continue
    const missed = flag === ABSENT
    if (missed && record.age >= FRESH_BLOCKS && (record.missed & FRESH) === 0n) fresh++
    const verdict = verdicts[i]
    record.missed = ring.push(record.missed, missed)
    record.nil = ring.push(record.nil, flag === NIL)
    record.deviant = ring.push(record.deviant, verdict === 'unusable')
    record.disagreement = ring.push(record.disagreement, verdict === 'disagrees')
    record.disagreed = verdict === 'unusable' || verdict === 'disagrees' || verdict === 'strays'
    record.missedLong += ((missed ? 65_536 : 0) - record.missedLong) >> 9
    if (missed) record.missedWindow = withMark(record.missedWindow, ctx.height, true)
    if (flag === NIL) record.nilWindow = withMark(record.nilWindow, ctx.height - 1n, true)
    record.streak = missed ? record.streak + 1 : 0
    record.age++
    const due = totalPower === 0n ? 0 : Number((power * BigInt(TURN)) / totalPower)
    record.turns = Math.min(MOST_TURNS, record.turns + due)
    if (flag === COMMIT) record.idleTurns = Math.min(MOST_TURNS, record.idleTurns + due)
  }
  const share = votes.length === 0 ? 0 : Math.floor((1000 * fresh) / votes.length)
  const proposing = members.get(toLatin1(proposer))
  const power = votes.find(({ address }) => equalBytes(address, proposer))?.power ?? 0n
  if (proposing !== undefined) judgeProposer(proposing, share)
  for (const [id, score] of scores) {
    const record = members.get(id)
    if (record !== undefined) record.score = score
  }
  state.roster.set(ctx, {
    records: [...members.values()],
    networkOmissions: before.networkOmissions + ((256 * share - before.networkOmissions) >> 6),
    proposals: [...before.proposals, { proposer, power }].slice(-WINDOW),
    previous: before.records.map((record) => record.address),
  })
}

/** What is out of the windows; a nil vote on this block comes with the next. */
function forgetOldest(record: ValidatorRecord, height: bigint): void {
  record.missedWindow = withMark(record.missedWindow, height, false)
  record.nilWindow = withMark(record.nilWindow, height, false)
}

/** One turn taken; who is far behind is forgiven half of it. */
function takenOf(turns: number): number {
  const left = turns - TURN
  return Math.max(FIRST_TURN, left > TURN ? left >> 1 : left)
}

function judgeProposer(record: ValidatorRecord, share: number): void {
  record.turns = takenOf(record.turns)
  record.idleTurns = takenOf(record.idleTurns)
  record.omissions += (16 * share - record.omissions) >> 2
}

import { type Address, formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { equalBytes } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import type { Dec } from '../../core/dec.ts'
import { emitTyped } from '../../core/typed-event.ts'
import type { Decision, Decisions, Standing } from '../../proto/gen/fornax/agents/v1/agents.ts'
import {
  EventBan,
  EventBansFrozen,
  EventHorizonLeft,
  EventPenalty,
  EventPenaltyCapped,
} from '../../proto/gen/fornax/agents/v1/events.ts'
import { modelOfReports } from '../classifier/api.ts'
import { evidenceAgainst } from '../evidence/api.ts'
import * as slashing from '../slashing/api.ts'
import * as staking from '../staking/api.ts'
import { lastRound } from './consensus-agent.ts'
import { BAN_CONFIDENCE_MIN } from './constants.ts'
import { END_OF_TIME_NS, jailForBlocks, jailsFor } from './jail.ts'
import { params } from './params.ts'
import { isObjective, type Penalty, penaltyOf, type Reason } from './penalty.ts'
import { demote, standingOf } from './pools.ts'
import { figuresOf, reasonFor, type Subject, subjectsOf } from './reasons.ts'
import { mayRemove, noteRemoval } from './removal-cap.ts'
import * as state from './state.ts'

/** Blocks that a decision looks back on. */
const WINDOW_BLOCKS = 64n
const LONG_WINDOW_BLOCKS = 512n
const LONG_REASONS: ReadonlySet<Reason> = new Set<Reason>(['MissedVotes', 'MissedProposals'])

interface Case extends Subject {
  readonly operator: Address
  readonly reason: Reason
  readonly hits: number
}

/** Decides on every validator with a cause, the worst first, and carries it out. */
export function decideAll(ctx: Context): void {
  const cases = casesOf(ctx)
  const frozen = isFrozen(ctx, cases)
  if (frozen) emitTyped(ctx, EventBansFrozen, { candidates: cases.filter(isAtBanLevel).length })
  cases.sort((a, b) => b.record.score - a.record.score)
  const before = new Map(lastDecisions(ctx).decisions.map((decision) => [decision.node, decision]))
  const decisions = cases.map((c) => decide(ctx, c, frozen, before))
  state.decisions.set(ctx, { height: ctx.height, decisions })
}

/** The decisions of the last block. */
export const lastDecisions = (ctx: Context): Decisions =>
  state.decisions.get(ctx) ?? { height: ctx.height, decisions: [] }

const isAtBanLevel = ({ record }: Case): boolean => record.score >= BAN_CONFIDENCE_MIN

/**
 * Everybody with a cause, each one's hits counted on. Who is banned is done with. In a degraded round more than a third of
 * the power disagrees about scores: only proof is acted on.
 */
function casesOf(ctx: Context): Case[] {
  const p = params(ctx)
  const { degraded } = lastRound(ctx)
  return subjectsOf(ctx).flatMap((subject) => {
    const { record } = subject
    const operator = record.operator as Address
    if (state.bans.has(ctx, operator)) return []
    const hits = countHit(ctx, operator, record.score)
    const reason = reasonFor(figuresOf(ctx, subject, p), record.score)
    if (reason === 'ByzantineVote' || (reason !== undefined && record.leftAt === 0n && !degraded))
      return [{ ...subject, operator, reason, hits }]
    const standing = standingOf(ctx, operator)
    if (record.leftAt === 0n && standing.horizonUntil === ctx.height) {
      state.standings.set(ctx, operator, { ...standing, toldReason: '' })
      emitTyped(ctx, EventHorizonLeft, { node: formatAddress(operator, VALIDATOR_PREFIX) })
    }
    return []
  })
}

/** Shifts whether the score is at the ban level into the validator's window; answers how many of it are. */
function countHit(ctx: Context, operator: Address, score: number): number {
  const standing = standingOf(ctx, operator)
  const { banWindow } = params(ctx)
  const mask = banWindow === 32 ? 0xffffffff : (1 << banWindow) - 1
  const hits = (((standing.hits << 1) | (score >= BAN_CONFIDENCE_MIN ? 1 : 0)) & mask) >>> 0
  if (hits !== standing.hits) state.standings.set(ctx, operator, { ...standing, hits })
  let count = 0
  for (let rest = hits; rest !== 0; rest = (rest & (rest - 1)) >>> 0) count++
  return count
}

/** Where many reach the ban level at once, the model or the network is at fault: nobody is banned for a score. */
function isFrozen(ctx: Context, cases: readonly Case[]): boolean {
  const suspects = cases.filter((c) => isAtBanLevel(c) && c.reason !== 'ByzantineVote')
  const power = suspects.reduce((sum, { record }) => sum + record.power, 0n)
  const total = staking.lastTotalPower(ctx)
  return suspects.length > 1 && power * 1000n > total * BigInt(params(ctx).freezePermille)
}

/** Decides on a validator; `before` are the last block's decisions, by operator address. */
function decide(ctx: Context, c: Case, frozen: boolean, before: ReadonlyMap<string, Decision>): Decision {
  const node = formatAddress(c.operator, VALIDATOR_PREFIX)
  const score = c.record.score
  let penalty: Penalty = penaltyOf(score)
  let triggerBan = isBanDue(ctx, c, frozen)
  const removes = penalty !== 'Moderate' && isStanding(ctx, c)
  if (removes && !mayRemove(ctx, c.operator)) {
    emitTyped(ctx, EventPenaltyCapped, { node, penalty, reason: c.reason, score })
    penalty = 'Moderate'
    triggerBan = false
  }
  const standing = standingOf(ctx, c.operator)
  if (triggerBan) ban(ctx, c, node)
  else if (penalty !== 'Moderate') punish(ctx, c)
  else demote(ctx, c.operator)
  if (c.reason === 'Omission') settleDispute(ctx, c.operator)
  const decision = { node, penalty, triggerBan, reason: c.reason, score }
  if (isNews(ctx, decision, before.get(node), standing)) {
    if (!triggerBan)
      state.standings.set(ctx, c.operator, { ...standingOf(ctx, c.operator), toldReason: c.reason })
    emitTyped(ctx, EventPenalty, decision)
  }
  return decision
}

/**
 * Whether a penalty begins or becomes another one. A Moderate one lasts for as long as it keeps a validator in Horizon, however
 * often its cause comes and goes; `standing` is that of before it.
 */
function isNews(
  ctx: Context,
  { penalty, reason, triggerBan }: Decision,
  before: Decision | undefined,
  standing: Standing,
): boolean {
  if (before !== undefined)
    return penalty !== before.penalty || reason !== before.reason || triggerBan !== before.triggerBan
  const lasts = standing.horizonUntil > ctx.height && standing.toldReason === reason
  return penalty !== 'Moderate' || !lasts
}

function isBanDue(ctx: Context, c: Case, frozen: boolean): boolean {
  if (!isAtBanLevel(c) || !isObjective(c.reason)) return false
  if (c.reason === 'ByzantineVote') return true
  const { banHits, banJails } = params(ctx)
  const isRepeated = jailsFor(ctx, c.operator, c.reason).length + 1 >= banJails
  return !frozen && (c.hits >= banHits || isRepeated)
}

/** Whether a validator is out of jail: only then does a penalty take it out. */
const isStanding = (ctx: Context, c: Case): boolean =>
  staking.validator(ctx, c.operator)?.jailed === false && isSameKey(ctx, c)

/** A Heavy penalty, once: who is in jail has had it. */
function punish(ctx: Context, c: Case): void {
  const { operator, reason } = c
  if (!isStanding(ctx, c)) return
  noteRemoval(ctx, operator, staking.lastPower(ctx, operator))
  const fraction = fractionOf(params(ctx).heavySlashFraction)
  slashing.slash(ctx, operator, windowOf(c, ctx.height), fraction, 'agents_heavy')
  jailForBlocks(ctx, operator, reason)
  demote(ctx, operator)
}

/** Holds no dispute against a validator again for a while: the other side may be at fault. */
function settleDispute(ctx: Context, operator: Address): void {
  const undisputedUntil = ctx.height + params(ctx).disputePause
  state.standings.set(ctx, operator, { ...standingOf(ctx, operator), undisputedUntil })
}

/** Out of the set for good. An equivocation has been slashed and tombstoned already; it is not punished twice. */
function ban(ctx: Context, c: Case, node: string): void {
  const { operator, record, row, reason } = c
  // Strikes outlive a jail, and stake must not leave between two.
  const [firstJail] = jailsFor(ctx, operator, reason)
  const firstHeight = windowOf(c, firstJail?.height ?? ctx.height)
  noteRemoval(ctx, operator, record.power)
  if (isSameKey(ctx, c) && !slashing.isTombstoned(ctx, operator)) {
    slashing.slash(ctx, operator, firstHeight, fractionOf(params(ctx).banSlashFraction), 'agents_ban')
    slashing.jailUntil(ctx, operator, END_OF_TIME_NS)
    slashing.tombstone(ctx, operator)
  }
  state.bans.set(ctx, operator, {
    node,
    height: ctx.height,
    reason,
    score: record.score,
    modelHash: modelOfReports(ctx).sha256,
    features: [...row],
    featureHeight: ctx.height,
    firstHeight,
    evidence: reason === 'ByzantineVote' ? evidenceAgainst(ctx, record.address as Address) : [],
    power: record.power,
    marks: [],
  })
  emitTyped(ctx, EventBan, { node, reason, score: record.score })
}

/** Where the window of a decision at a height begins. */
function windowOf({ reason }: Case, height: bigint): bigint {
  const blocks = LONG_REASONS.has(reason) ? LONG_WINDOW_BLOCKS : WINDOW_BLOCKS
  return height > blocks ? height - blocks : 1n
}

/** Whether the operator's validator is still the one that was judged: it may have gone and come with another key. */
function isSameKey(ctx: Context, { operator, record }: Case): boolean {
  const v = staking.validator(ctx, operator)
  return v !== undefined && equalBytes(staking.consensusAddressOf(v), record.address)
}

const fractionOf = (atomics: string): Dec => BigInt(atomics === '' ? '0' : atomics)

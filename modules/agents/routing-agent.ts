import type { Address } from '../../core/address.ts'
import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { toLatin1 } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import type { Pool } from '../../proto/gen/fornax/agents/v1/agents.ts'
import type { ValidatorRecord } from '../../proto/gen/fornax/classifier/v1/classifier.ts'
import { rosterOf, telemetryOf } from '../classifier/api.ts'
import { POOLS, poolsOf } from './pools.ts'

/** The telemetry that a member without fresh one is taken to have. */
const NEUTRAL = { latencyMs: 100, load: 3_000 }
const FRESH_BLOCKS = 64n
/** A turn to propose that is a whole turn away costs as much as this latency, and so does one long overdue. */
const TURN_COST_MS = 100
const TURN = 65_536
const OVERDUE = 2 * TURN
const ABSENT_COST_MS = 1_000_000

export interface Routing {
  readonly pools: readonly Pool[]
  /** Id of the best pool. */
  readonly preferred: number
}

/**
 * Estimates for each non-empty pool the latency, load and time to the next proposal of those members that voted last, and
 * names the best. A pool where nobody did is named only where there is no other. Load is the processor's, raised by
 * failing scores.
 */
export function route(ctx: Context): Routing {
  const byAddress = poolsOf(ctx)
  const { records } = rosterOf(ctx)
  const pools = POOLS.map((label, id): Pool & { cost: number } => {
    const members = records.filter(({ address }) => byAddress.get(toLatin1(address)) === id)
    const present = members.filter(({ streak }) => streak === 0)
    const conditions = (present.length > 0 ? present : members).map((member) => conditionOf(ctx, member))
    const mean = (values: readonly number[]): number =>
      values.length === 0 ? 0 : Math.floor(values.reduce((sum, v) => sum + v, 0) / values.length)
    const latency = mean(conditions.map((c) => c.latencyMs))
    const load = mean(conditions.map((c) => c.load))
    const wait = conditions.reduce((least, c) => Math.min(least, c.waitMs), Number.POSITIVE_INFINITY)
    // A loaded pool is slower: at full load a transaction waits as long again.
    const estimate = members.length === 0 ? 0 : Math.floor((latency * (10_000 + load)) / 10_000) + wait
    return {
      id,
      label,
      members: members.map(({ operator }) => formatAddress(operator, VALIDATOR_PREFIX)),
      estimatedLatencyMs: estimate,
      load,
      cost: members.length === 0 ? Infinity : estimate + (present.length === 0 ? ABSENT_COST_MS : 0),
    }
  })
  const best = pools.reduce((a, b) => (b.cost < a.cost ? b : a))
  return { pools: pools.map(({ cost: _, ...pool }) => pool), preferred: best.id }
}

/** Of a turn, 0 to 1. */
const within = (turns: number): number => Math.min(TURN, Math.max(0, turns))

function conditionOf(ctx: Context, { operator, turns, score }: ValidatorRecord) {
  const telemetry = telemetryOf(ctx, operator as Address)
  const isFresh = telemetry !== undefined && ctx.height - telemetry.height <= FRESH_BLOCKS
  const load = isFresh ? telemetry.cpu : NEUTRAL.load
  return {
    latencyMs: isFresh ? Math.floor(telemetry.latencyUs / 1000) : NEUTRAL.latencyMs,
    load: Math.max(load, score),
    waitMs: turns >= OVERDUE ? TURN_COST_MS : Math.floor((TURN_COST_MS * (TURN - within(turns))) / TURN),
  }
}

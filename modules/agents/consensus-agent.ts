import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import { emitTyped } from '../../core/typed-event.ts'
import type { ConsensusState } from '../../proto/gen/fornax/agents/v1/agents.ts'
import { EventConsensusRound } from '../../proto/gen/fornax/agents/v1/events.ts'
import { areReportsDue } from '../classifier/api.ts'
import { SIMILARITY_THRESHOLD } from './constants.ts'
import { zenithOf } from './pools.ts'
import * as state from './state.ts'

/** Reads how many of the Zenith Pool agree in this block's reports. A chain without reports or model is healthy. */
export function evaluateRound(ctx: Context): void {
  const hasReports = ctx.block.votes.some(({ extension }) => extension !== undefined)
  const zenith = zenithOf(ctx)
  const isJudged = hasReports && areReportsDue(ctx)
  const disagreeing = zenith
    .filter(({ agreed }) => isJudged && !agreed)
    .map(({ operator }) => formatAddress(operator, VALIDATOR_PREFIX))
  const agreeing = zenith.length - disagreeing.length
  const degraded = agreeing * 100 < SIMILARITY_THRESHOLD * zenith.length
  const last = state.consensusState.get(ctx)
  state.consensusState.set(ctx, {
    height: ctx.height,
    agreeing,
    zenithSize: zenith.length,
    degraded,
    disagreeing,
  })
  if (degraded || last?.degraded)
    emitTyped(ctx, EventConsensusRound, { agreeing, zenithSize: zenith.length, degraded, disagreeing })
}

/** What the last round came to. */
export const lastRound = (ctx: Context): ConsensusState =>
  state.consensusState.get(ctx) ?? {
    height: ctx.height,
    agreeing: 0,
    zenithSize: 0,
    degraded: false,
    disagreeing: [],
  }

/** Why the round was degraded; nothing where it was healthy. */
export function whyDegraded(ctx: Context): string | undefined {
  const { degraded, agreeing, zenithSize, disagreeing } = lastRound(ctx)
  return degraded
    ? `${agreeing} of the Zenith Pool’s ${zenithSize} members agree, and not ${disagreeing.join(', ')}`
    : undefined
}

import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import { emitTyped } from '../../core/typed-event.ts'
import type { ConsensusState } from '../../proto/gen/fornax/agents/v1/agents.ts'
import { EventConsensusRound } from '../../proto/gen/fornax/agents/v1/events.ts'
import { rosterOf } from '../classifier/api.ts'
import { SIMILARITY_THRESHOLD } from './constants.ts'
import { powerInSet, powerOf, zenithOf } from './pools.ts'
import * as state from './state.ts'

/**
 * Reads in this block's reports who of the Zenith Pool disagrees. Only a member's own signed report counts against it, so
 * a chain without reports or model is healthy, and whoever is away counts neither way.
 */
export function evaluateRound(ctx: Context): void {
  const zenith = zenithOf(ctx)
  const disagreeing = zenith.filter(({ disagreed }) => disagreed)
  const powers = {
    disagreeingPower: powerOf(disagreeing),
    zenithPower: powerOf(zenith),
    totalPower: powerInSet(rosterOf(ctx).records),
  }
  const round = {
    agreeing: zenith.length - disagreeing.length,
    zenithSize: zenith.length,
    degraded: isDegraded(powers),
    disagreeing: disagreeing.map(({ operator }) => formatAddress(operator, VALIDATOR_PREFIX)),
    ...powers,
  }
  const last = state.consensusState.get(ctx)
  state.consensusState.set(ctx, { height: ctx.height, ...round })
  if (round.degraded || last?.degraded) emitTyped(ctx, EventConsensusRound, round)
}

/** The outcome of the last round. */
export const lastRound = (ctx: Context): ConsensusState =>
  state.consensusState.get(ctx) ?? {
    height: ctx.height,
    agreeing: 0,
    zenithSize: 0,
    degraded: false,
    disagreeing: [],
    disagreeingPower: 0n,
    zenithPower: 0n,
    totalPower: 0n,
  }

type RoundPowers = Pick<ConsensusState, 'disagreeingPower' | 'zenithPower' | 'totalPower'>

/** Six times what similarity is a share of: the pool's power, and at least 5/6 of all. */
export const sixfoldWhole = ({ zenithPower, totalPower }: RoundPowers): bigint => {
  const [pool, least] = [6n * zenithPower, 5n * totalPower]
  return pool > least ? pool : least
}

/** Whether similarity is below the threshold: for that, more than a third of all power must disagree. */
export function isDegraded(powers: RoundPowers): boolean {
  const whole = sixfoldWhole(powers)
  return 100n * (whole - 6n * powers.disagreeingPower) < BigInt(SIMILARITY_THRESHOLD) * whole
}

/** Why the round was degraded; nothing where it was healthy. */
export function whyDegraded(ctx: Context): string | undefined {
  const { degraded, disagreeing, disagreeingPower, totalPower } = lastRound(ctx)
  return degraded
    ? `members of the Zenith Pool with ${disagreeingPower} of ${totalPower} units of power disagree: ${disagreeing.join(', ')}`
    : undefined
}

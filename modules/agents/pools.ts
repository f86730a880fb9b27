import type { Address } from '../../core/address.ts'
import { compareBytes, toLatin1 } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { Standing } from '../../proto/gen/fornax/agents/v1/agents.ts'
import type { ValidatorRecord } from '../../proto/gen/fornax/classifier/v1/classifier.ts'
import { rosterOf } from '../classifier/api.ts'
import { params } from './params.ts'
import * as state from './state.ts'

export const POOLS = ['Zenith', 'Meridian', 'Horizon'] as const
const [ZENITH, MERIDIAN, HORIZON] = [0, 1, 2] as const
export type PoolId = 0 | 1 | 2

/** Which pool each validator of the set is in, by consensus address; those banned or out of the set are in none. */
export function poolsOf(ctx: Context): Map<string, PoolId> {
  const { records } = rosterOf(ctx)
  const total = powerInSet(records)
  const inSet = records.filter(
    ({ leftAt, operator }) => leftAt === 0n && !state.bans.has(ctx, operator as Address),
  )
  const isGood = ({ operator }: ValidatorRecord): boolean =>
    (state.standings.get(ctx, operator as Address)?.horizonUntil ?? 0n) <= ctx.height
  const inGoodStanding = inSet.filter(isGood)
  // A handful must not speak for a network that is in trouble as a whole.
  const good = 3n * powerOf(inGoodStanding) < 2n * total ? inSet : inGoodStanding
  const best = good.toSorted((a, b) =>
    a.power === b.power ? compareBytes(a.operator, b.operator) : a.power > b.power ? -1 : 1,
  )
  const { zenithSize } = params(ctx)
  const pools = new Map<string, PoolId>()
  for (const { address } of inSet) pools.set(toLatin1(address), HORIZON)
  let held = 0n
  for (const [i, { address, power }] of best.entries()) {
    const isZenith = zenithSize > 0 ? i < zenithSize : 6n * held < 5n * total
    pools.set(toLatin1(address), isZenith ? ZENITH : MERIDIAN)
    held += power
  }
  return pools
}

export const powerOf = (records: readonly ValidatorRecord[]): bigint =>
  records.reduce((sum, { power }) => sum + power, 0n)

/** All voting power of the last vote. */
export const powerInSet = (records: readonly ValidatorRecord[]): bigint =>
  powerOf(records.filter(({ leftAt }) => leftAt === 0n))

/** The Zenith Pool's records. */
export function zenithOf(ctx: Context): ValidatorRecord[] {
  const pools = poolsOf(ctx)
  return rosterOf(ctx).records.filter(({ address }) => pools.get(toLatin1(address)) === ZENITH)
}

/** Puts a validator into Horizon for the parameter's number of blocks. */
export function demote(ctx: Context, operator: Address): void {
  const standing = standingOf(ctx, operator)
  const until = ctx.height + params(ctx).horizonBlocks
  if (until > standing.horizonUntil) state.standings.set(ctx, operator, { ...standing, horizonUntil: until })
}

export const standingOf = (ctx: Context, operator: Address): Standing =>
  state.standings.get(ctx, operator) ?? Standing.fromPartial({})

/** Newcomers of a chain that runs begin in Horizon. */
export function admitNewcomers(ctx: Context): void {
  const { records, previous } = rosterOf(ctx)
  if (previous.length === 0) return
  for (const { joinedAt, operator } of records) if (joinedAt === ctx.height) demote(ctx, operator as Address)
}

import { toHex } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { nanosecondsOf } from '../../core/time.ts'
import { sharesOf, tokensOf, totalShares } from './exchange-rate.ts'
import { powerOf } from './params.ts'
import { BONDED_POOL, NOT_BONDED_POOL, poolBalance } from './pools.ts'
import * as state from './state.ts'
import { isBonded, isUnbonding, operatorOf } from './validators.ts'

function poolsHoldTheirTokens(ctx: Context): string | undefined {
  let bonded = 0n
  let notBonded = 0n
  for (const [, v] of state.validators.entries(ctx)) {
    if (isBonded(v)) bonded += tokensOf(v)
    else notBonded += tokensOf(v)
  }
  for (const [, { entries }] of state.unbondings.entries(ctx))
    for (const { balance } of entries) notBonded += BigInt(balance)
  const held = [poolBalance(ctx, BONDED_POOL), poolBalance(ctx, NOT_BONDED_POOL)] as const
  if (held[0] === bonded && held[1] === notBonded) return undefined
  return `bonded pool ${held[0]} for ${bonded}, not bonded pool ${held[1]} for ${notBonded}`
}

function sharesArePositiveAndSummed(ctx: Context): string | undefined {
  const sums = new Map<string, bigint>()
  for (const [[, operator], d] of state.delegations.entries(ctx)) {
    if (sharesOf(d) <= 0n) return `${d.delegatorAddress} has ${d.shares} shares of ${d.validatorAddress}`
    const key = toHex(operator)
    sums.set(key, (sums.get(key) ?? 0n) + sharesOf(d))
  }
  for (const [operator, v] of state.validators.entries(ctx)) {
    const sum = sums.get(toHex(operator)) ?? 0n
    if (sum !== totalShares(v))
      return `${v.operatorAddress} has ${v.delegatorShares} shares, its delegations ${sum}`
    sums.delete(toHex(operator))
  }
  return sums.size === 0 ? undefined : 'delegations to validators that are not there'
}

function powerOrderIsCurrent(ctx: Context): string | undefined {
  let expected = 0
  for (const [operator, v] of state.validators.entries(ctx)) {
    if (v.jailed) continue
    expected++
    if (!state.byPower.has(ctx, [powerOf(ctx, tokensOf(v)), operator]))
      return `${v.operatorAddress} is not in the order of powers`
  }
  let found = 0
  for (const _ of state.byPower.entries(ctx)) found++
  return found === expected ? undefined : `${found} validators in the order of powers instead of ${expected}`
}

function queuesAreConsistent(ctx: Context): string | undefined {
  const queued = new Set<string>()
  for (const [[timeNs], p] of state.unbondingQueue.entries(ctx))
    queued.add(`${timeNs} ${p.delegatorAddress} ${p.validatorAddress}`)
  for (const [[timeNs], t] of state.redelegationQueue.entries(ctx))
    queued.add(`${timeNs} ${t.delegatorAddress} ${t.validatorSrcAddress} ${t.validatorDstAddress}`)
  for (const [, u] of state.unbondings.entries(ctx))
    for (const { completionTime } of u.entries)
      if (!queued.has(`${nanosecondsOf(completionTime)} ${u.delegatorAddress} ${u.validatorAddress}`))
        return `an unbonding of ${u.delegatorAddress} is not queued`
  for (const [, r] of state.redelegations.entries(ctx))
    for (const { completionTime } of r.entries)
      if (
        !queued.has(
          `${nanosecondsOf(completionTime)} ${r.delegatorAddress} ${r.validatorSrcAddress} ${r.validatorDstAddress}`,
        )
      )
        return `a redelegation of ${r.delegatorAddress} is not queued`
  let unbonding = 0
  for (const [, v] of state.validators.entries(ctx)) {
    if (!isUnbonding(v)) continue
    unbonding++
    if (!state.validatorQueue.has(ctx, [nanosecondsOf(v.unbondingTime), v.unbondingHeight, operatorOf(v)]))
      return `${v.operatorAddress} is unbonding and not queued`
  }
  let inQueue = 0
  for (const _ of state.validatorQueue.entries(ctx)) inQueue++
  return inQueue === unbonding ? undefined : `${inQueue} validators queued, ${unbonding} unbonding`
}

function indexesMatch(ctx: Context): string | undefined {
  const count = (entries: Iterable<unknown>): number => [...entries].length
  const pairs = [
    ['delegations', state.delegations.entries(ctx), state.delegationsByOperator.entries(ctx)],
    ['unbondings', state.unbondings.entries(ctx), state.unbondingsByOperator.entries(ctx)],
    ['redelegations', state.redelegations.entries(ctx), state.redelegationsBySource.entries(ctx)],
    ['redelegations', state.redelegations.entries(ctx), state.redelegationsByDestination.entries(ctx)],
    ['validators', state.validators.entries(ctx), state.byConsensusAddress.entries(ctx)],
  ] as const
  for (const [name, records, index] of pairs) {
    const [a, b] = [count(records), count(index)]
    if (a !== b) return `${a} ${name}, ${b} in their index`
  }
  return undefined
}

export const invariants = {
  poolsHoldTheirTokens,
  sharesArePositiveAndSummed,
  powerOrderIsCurrent,
  queuesAreConsistent,
  indexesMatch,
}

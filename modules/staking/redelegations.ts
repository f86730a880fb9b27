import type { Redelegation, RedelegationEntry, Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { type Address, formatAddress, parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { concatBytes, equalBytes } from '../../core/bytes.ts'
import { formatCoins } from '../../core/coin.ts'
import { addressKey, part } from '../../core/collections.ts'
import type { Context } from '../../core/context.ts'
import type { Dec } from '../../core/dec.ts'
import { nanosecondsOf, timestampOf } from '../../core/time.ts'
import { delegate, unbond } from './delegations.ts'
import { stakingError } from './errors.ts'
import { params } from './params.ts'
import { bondCoins } from './pools.ts'
import * as state from './state.ts'
import { isMature } from './unbonding.ts'
import { isBonded, isUnbonding, nextUnbondingId, poolOf, validator } from './validators.ts'

export interface RedelegationKey {
  readonly delegator: Address
  readonly source: Address
  readonly destination: Address
}

export const redelegation = (ctx: Context, k: RedelegationKey): Redelegation | undefined =>
  state.redelegations.get(ctx, [k.delegator, k.source, k.destination])

/** The redelegations away from one validator, by delegator and destination. */
export function redelegationsFrom(
  ctx: Context,
  source: Address,
): (readonly [RedelegationKey, Redelegation])[] {
  return [...state.redelegationsBySource.entries(ctx, part(addressKey, source))].map(
    ([[, delegator, destination]]) => {
      const key = { delegator, source, destination }
      return [key, redelegation(ctx, key)!]
    },
  )
}

/** Whether stake of `delegator` is on its way to `operator` by a redelegation. */
function isReceiving(ctx: Context, delegator: Address, operator: Address): boolean {
  const within = concatBytes(part(addressKey, operator), part(addressKey, delegator))
  for (const _ of state.redelegationsByDestination.entries(ctx, within)) return true
  return false
}

/** Writes the entries that are left; the record goes with the last one. */
export function putRedelegation(ctx: Context, k: RedelegationKey, entries: RedelegationEntry[]): void {
  const { delegator, source, destination } = k
  if (entries.length === 0) {
    state.redelegations.delete(ctx, [delegator, source, destination])
    state.redelegationsBySource.delete(ctx, [source, delegator, destination])
    state.redelegationsByDestination.delete(ctx, [destination, delegator, source])
    return
  }
  state.redelegations.set(ctx, [delegator, source, destination], {
    delegatorAddress: formatAddress(delegator),
    validatorSrcAddress: formatAddress(source, VALIDATOR_PREFIX),
    validatorDstAddress: formatAddress(destination, VALIDATOR_PREFIX),
    entries,
  })
  state.redelegationsBySource.set(ctx, [source, delegator, destination], true)
  state.redelegationsByDestination.set(ctx, [destination, delegator, source], true)
}

export function enqueueRedelegation(
  ctx: Context,
  k: RedelegationKey,
  completionNs: bigint,
  id: bigint,
): void {
  state.redelegationQueue.set(ctx, [completionNs, id], {
    delegatorAddress: formatAddress(k.delegator),
    validatorSrcAddress: formatAddress(k.source, VALIDATOR_PREFIX),
    validatorDstAddress: formatAddress(k.destination, VALIDATOR_PREFIX),
  })
}

/**
 * Moves `shares` from one validator to another at once; they stay open to slashes of the source until the answered
 * time (nanoseconds). Throws staking/29, staking/30, staking/31, staking/32, staking/33, staking/44 and what `unbond`
 * and `delegate` throw.
 */
export function redelegate(ctx: Context, k: RedelegationKey, shares: Dec): bigint | undefined {
  if (equalBytes(k.source, k.destination)) throw stakingError.selfRedelegation()
  const destination = validator(ctx, k.destination)
  if (destination === undefined) throw stakingError.badRedelegationDestination()
  const source = validator(ctx, k.source)
  if (source === undefined) throw stakingError.badRedelegationSource()
  if (isReceiving(ctx, k.delegator, k.source)) throw stakingError.transitiveRedelegation()
  if ((redelegation(ctx, k)?.entries.length ?? 0) >= params(ctx).maxEntries)
    throw stakingError.maxRedelegationEntries()
  const amount = unbond(ctx, k.delegator, k.source, shares)
  if (amount === 0n) throw stakingError.tinyRedelegationAmount()
  const sharesDst = delegate(ctx, k.delegator, destination, amount, poolOf(source))
  const open = openUntil(ctx, validator(ctx, k.source))
  if (open === undefined) return undefined
  const id = nextUnbondingId(ctx)
  putRedelegation(ctx, k, [
    ...(redelegation(ctx, k)?.entries ?? []),
    {
      creationHeight: open.height,
      completionTime: timestampOf(open.completionNs),
      initialBalance: amount.toString(),
      sharesDst: sharesDst.toString(),
      unbondingId: id,
      unbondingOnHoldRefCount: 0n,
    },
  ])
  enqueueRedelegation(ctx, k, open.completionNs, id)
  return open.completionNs
}

/** Until when stake that leaves `source` now can be slashed for it; not at all where the validator is unbonded. */
function openUntil(
  ctx: Context,
  source: Validator | undefined,
): { readonly completionNs: bigint; readonly height: bigint } | undefined {
  if (source === undefined || isBonded(source))
    return { completionNs: ctx.timeNs + nanosecondsOf(params(ctx).unbondingTime), height: ctx.height }
  if (isUnbonding(source))
    return { completionNs: nanosecondsOf(source.unbondingTime), height: source.unbondingHeight }
  return undefined
}

/** Forgets every redelegation entry whose time has come. */
export function completeRedelegations(ctx: Context): void {
  const due = []
  for (const entry of state.redelegationQueue.entries(ctx)) {
    if (entry[0][0] > ctx.timeNs) break
    due.push(entry)
  }
  for (const [key] of due) state.redelegationQueue.delete(ctx, key)
  for (const [, { delegatorAddress, validatorSrcAddress, validatorDstAddress }] of due) {
    const key = {
      delegator: parseAddress(delegatorAddress),
      source: parseAddress(validatorSrcAddress, VALIDATOR_PREFIX),
      destination: parseAddress(validatorDstAddress, VALIDATOR_PREFIX),
    }
    const record = redelegation(ctx, key)
    if (record === undefined) continue
    const mature = record.entries.filter((e) => isMature(ctx, e))
    const amount = mature.reduce((sum, e) => sum + BigInt(e.initialBalance), 0n)
    putRedelegation(
      ctx,
      key,
      record.entries.filter((e) => !isMature(ctx, e)),
    )
    ctx.emit('complete_redelegation', {
      amount: formatCoins(bondCoins(ctx, amount)),
      delegator: delegatorAddress,
      source_validator: validatorSrcAddress,
      destination_validator: validatorDstAddress,
    })
  }
}

import type {
  UnbondingDelegation,
  UnbondingDelegationEntry,
  Validator,
} from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { type Address, formatAddress, parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { formatCoins } from '../../core/coin.ts'
import { addressKey, part } from '../../core/collections.ts'
import type { Context } from '../../core/context.ts'
import type { Dec } from '../../core/dec.ts'
import { sdk, unregistered } from '../../core/error.ts'
import { nanosecondsOf, timestampOf } from '../../core/time.ts'
import { undelegateCoins } from '../bank/api.ts'
import { delegate, unbond } from './delegations.ts'
import { stakingError } from './errors.ts'
import { isRateInvalid } from './exchange-rate.ts'
import { params } from './params.ts'
import { BONDED_POOL, bondCoins, moveBetweenPools, NOT_BONDED_POOL } from './pools.ts'
import * as state from './state.ts'
import { isBonded, nextUnbondingId, requireValidator } from './validators.ts'

export const unbondingOf = (
  ctx: Context,
  delegator: Address,
  operator: Address,
): UnbondingDelegation | undefined => state.unbondings.get(ctx, [delegator, operator])

/** The unbonding delegations from one validator, by delegator. */
export function unbondingsFrom(
  ctx: Context,
  operator: Address,
): (readonly [delegator: Address, UnbondingDelegation])[] {
  return [...state.unbondingsByOperator.entries(ctx, part(addressKey, operator))].map(([[, delegator]]) => [
    delegator,
    unbondingOf(ctx, delegator, operator)!,
  ])
}

/** Writes the entries that are left; the record goes with the last one. */
export function putUnbonding(
  ctx: Context,
  delegator: Address,
  operator: Address,
  entries: UnbondingDelegationEntry[],
): void {
  if (entries.length === 0) {
    state.unbondings.delete(ctx, [delegator, operator])
    state.unbondingsByOperator.delete(ctx, [operator, delegator])
    return
  }
  state.unbondings.set(ctx, [delegator, operator], {
    delegatorAddress: formatAddress(delegator),
    validatorAddress: formatAddress(operator, VALIDATOR_PREFIX),
    entries,
  })
  state.unbondingsByOperator.set(ctx, [operator, delegator], true)
}

/** Whether an entry's time has come. */
export const isMature = (
  ctx: Context,
  entry: { readonly completionTime: UnbondingDelegationEntry['completionTime'] },
): boolean => nanosecondsOf(entry.completionTime) <= ctx.timeNs

/** Begins to unbond `shares`. Throws staking/3, staking/27 and what `unbond` throws. */
export function undelegate(
  ctx: Context,
  delegator: Address,
  operator: Address,
  shares: Dec,
): { readonly completionNs: bigint; readonly amount: bigint } {
  const v = requireValidator(ctx, operator)
  const { maxEntries, unbondingTime } = params(ctx)
  if ((unbondingOf(ctx, delegator, operator)?.entries.length ?? 0) >= maxEntries)
    throw stakingError.maxUnbondingDelegationEntries()
  const amount = unbond(ctx, delegator, operator, shares)
  if (isBonded(v)) moveBetweenPools(ctx, BONDED_POOL, NOT_BONDED_POOL, amount)
  const completionNs = ctx.timeNs + nanosecondsOf(unbondingTime)
  addEntry(ctx, delegator, operator, completionNs, amount)
  return { completionNs, amount }
}

/** Two entries of one block and completion time are one. */
function addEntry(
  ctx: Context,
  delegator: Address,
  operator: Address,
  completionNs: bigint,
  amount: bigint,
): void {
  const id = nextUnbondingId(ctx)
  const entries = [...(unbondingOf(ctx, delegator, operator)?.entries ?? [])]
  const at = entries.findIndex(
    (e) => e.creationHeight === ctx.height && nanosecondsOf(e.completionTime) === completionNs,
  )
  if (at >= 0) {
    const same = entries[at]!
    entries[at] = {
      ...same,
      balance: (BigInt(same.balance) + amount).toString(),
      initialBalance: (BigInt(same.initialBalance) + amount).toString(),
    }
  } else
    entries.push({
      creationHeight: ctx.height,
      completionTime: timestampOf(completionNs),
      initialBalance: amount.toString(),
      balance: amount.toString(),
      unbondingId: id,
      unbondingOnHoldRefCount: 0n,
    })
  putUnbonding(ctx, delegator, operator, entries)
  state.unbondingQueue.set(ctx, [completionNs, id], {
    delegatorAddress: formatAddress(delegator),
    validatorAddress: formatAddress(operator, VALIDATOR_PREFIX),
  })
}

/** Pays out every unbonding entry whose time has come. */
export function completeUnbondings(ctx: Context): void {
  const due = []
  for (const entry of state.unbondingQueue.entries(ctx)) {
    if (entry[0][0] > ctx.timeNs) break
    due.push(entry)
  }
  for (const [key] of due) state.unbondingQueue.delete(ctx, key)
  for (const [, { delegatorAddress, validatorAddress }] of due) {
    const delegator = parseAddress(delegatorAddress)
    const operator = parseAddress(validatorAddress, VALIDATOR_PREFIX)
    const record = unbondingOf(ctx, delegator, operator)
    if (record === undefined) continue
    let paid = 0n
    for (const entry of record.entries) {
      const amount = BigInt(entry.balance)
      if (!isMature(ctx, entry) || amount === 0n) continue
      undelegateCoins(ctx, NOT_BONDED_POOL, delegator, bondCoins(ctx, amount))
      paid += amount
    }
    const left = record.entries.filter((e) => !isMature(ctx, e))
    putUnbonding(ctx, delegator, operator, left)
    ctx.emit('complete_unbonding', {
      amount: formatCoins(bondCoins(ctx, paid)),
      validator: validatorAddress,
      delegator: delegatorAddress,
    })
  }
}

/**
 * Delegates `amount` of the unbonding entry made at `creationHeight` again. Throws staking/3, staking/7, staking/34,
 * undefined/1 without such a delegation, sdk/38 without such an entry, sdk/18 where it is smaller or over.
 */
export function cancelUnbonding(
  ctx: Context,
  delegator: Address,
  operator: Address,
  creationHeight: bigint,
  amount: bigint,
): void {
  const v: Validator = requireValidator(ctx, operator)
  if (isRateInvalid(v)) throw stakingError.exchangeRateInvalid()
  if (v.jailed) throw stakingError.validatorJailed()
  const record = unbondingOf(ctx, delegator, operator)
  if (record === undefined)
    throw unregistered(
      `unbonding delegation with delegator ${formatAddress(delegator)} not found for validator ${v.operatorAddress}`,
    )
  const at = record.entries.findIndex((e) => e.creationHeight === creationHeight)
  const entry = record.entries[at]
  if (entry === undefined)
    throw sdk.notFound(`unbonding delegation entry is not found at block height ${creationHeight}`)
  if (BigInt(entry.balance) < amount)
    throw sdk.invalidRequest('amount is greater than the unbonding delegation entry balance')
  if (nanosecondsOf(entry.completionTime) < ctx.timeNs)
    throw sdk.invalidRequest('unbonding delegation is already processed')
  delegate(ctx, delegator, v, amount, NOT_BONDED_POOL)
  const balance = BigInt(entry.balance) - amount
  const smaller = {
    ...entry,
    balance: balance.toString(),
    initialBalance: (BigInt(entry.initialBalance) - amount).toString(),
  }
  putUnbonding(
    ctx,
    delegator,
    operator,
    balance === 0n ? record.entries.toSpliced(at, 1) : record.entries.with(at, smaller),
  )
}

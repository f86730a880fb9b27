import type {
  RedelegationEntry,
  UnbondingDelegation,
  UnbondingDelegationEntry,
} from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import type { Address } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import type { Dec } from '../../core/dec.ts'
import * as dec from '../../core/dec.ts'
import { delegation, unbond } from './delegations.ts'
import { sharesOf, tokensOf } from './exchange-rate.ts'
import { notify } from './hooks.ts'
import { powerReduction } from './params.ts'
import { BONDED_POOL, burnFromPool, NOT_BONDED_POOL } from './pools.ts'
import { type RedelegationKey, redelegationsFrom } from './redelegations.ts'
import { isMature, putUnbonding, unbondingOf, unbondingsFrom } from './unbonding.ts'
import {
  isBonded,
  isUnbonded,
  operatorOf,
  poolOf,
  replaceValidator,
  validator,
  validatorByConsensusAddress,
} from './validators.ts'

/** Where and when stake did wrong, and what it costs. */
export interface Infraction {
  /** Consensus address of the validator. */
  readonly validator: Address
  /** Height at which the stake was bonded; its unbondings and redelegations since then are slashed too. */
  readonly height: bigint
  /** Consensus power at that height. */
  readonly power: bigint
  /** 0 … 1. */
  readonly fraction: Dec
}

/**
 * Burns `fraction` of the stake that stood behind a validator at the infraction, and answers the tokens burned of the
 * validator itself. Unknown validators are let be: they were slashed to nothing before. An unbonded validator and an
 * infraction of the future are faults of the caller and throw.
 */
export function slash(ctx: Context, infraction: Infraction): bigint {
  const { fraction, height, power } = infraction
  if (fraction < 0n) throw new Error('a slash fraction is not negative')
  const v = validatorByConsensusAddress(ctx, infraction.validator)
  if (v === undefined) return 0n
  const operator = operatorOf(v)
  if (isUnbonded(v)) throw new Error(`${v.operatorAddress} is unbonded and cannot be slashed`)
  notify('beforeValidatorModified', ctx, operator)
  if (height > ctx.height) throw new Error(`an infraction at height ${height} is in the future`)
  let left = dec.truncateInt(dec.mul(dec.fromInt(power * powerReduction(ctx)), fraction))
  if (height < ctx.height) {
    for (const [delegator, record] of unbondingsFrom(ctx, operator))
      left -= slashUnbonding(ctx, delegator, operator, record, infraction)
    for (const [key, { entries }] of redelegationsFrom(ctx, operator))
      left -= slashRedelegation(ctx, key, entries, infraction)
  }
  const burned = dec.min(left, tokensOf(v))
  if (burned <= 0n) return 0n
  const effective = dec.quoRoundUp(dec.fromInt(burned), dec.fromInt(tokensOf(v)))
  notify('beforeValidatorSlashed', ctx, operator, dec.min(effective, dec.ONE))
  replaceValidator(ctx, v, { ...v, tokens: (tokensOf(v) - burned).toString() })
  burnFromPool(ctx, poolOf(v), burned)
  return burned
}

/** Whether an entry's stake was bonded at the infraction and can still be had. */
const isLiable = (
  ctx: Context,
  entry: Pick<UnbondingDelegationEntry, 'creationHeight' | 'completionTime'>,
  height: bigint,
): boolean => entry.creationHeight >= height && !isMature(ctx, entry)

/** Tokens that have begun to leave a validator since a height, unbonding or redelegated, and can still be had. */
export function tokensLeftSince(ctx: Context, operator: Address, height: bigint): bigint {
  let tokens = tokensRedelegatedSince(ctx, operator, height)
  for (const [, { entries }] of unbondingsFrom(ctx, operator)) tokens += liableTokens(ctx, entries, height)
  return tokens
}

/** Those of them that went to other validators. */
export function tokensRedelegatedSince(ctx: Context, operator: Address, height: bigint): bigint {
  let tokens = 0n
  for (const [, { entries }] of redelegationsFrom(ctx, operator)) tokens += liableTokens(ctx, entries, height)
  return tokens
}

type Entry = Pick<UnbondingDelegationEntry, 'creationHeight' | 'completionTime' | 'initialBalance'>

const liableTokens = (ctx: Context, entries: readonly Entry[], height: bigint): bigint =>
  entries.reduce((sum, e) => (isLiable(ctx, e, height) ? sum + BigInt(e.initialBalance) : sum), 0n)

/** Slashes the liable entries and answers what they owe, even where less is left of them. */
function slashUnbonding(
  ctx: Context,
  delegator: Address,
  operator: Address,
  record: UnbondingDelegation,
  { height, fraction }: Infraction,
): bigint {
  let owed = 0n
  let burned = 0n
  const entries = record.entries.map((entry) => {
    if (!isLiable(ctx, entry, height)) return entry
    const due = dec.truncateInt(dec.mulInt(fraction, BigInt(entry.initialBalance)))
    owed += due
    const balance = BigInt(entry.balance)
    const taken = due < balance ? due : balance
    burned += taken
    return { ...entry, balance: (balance - taken).toString() }
  })
  if (burned > 0n) putUnbonding(ctx, delegator, operator, entries)
  burnFromPool(ctx, NOT_BONDED_POOL, burned)
  return owed
}

/** Takes what it can of `due` from the delegator's unbonding entries at the destination; answers what is left to take. */
function slashUnbondingAtDestination(
  ctx: Context,
  { delegator, destination }: RedelegationKey,
  due: bigint,
  height: bigint,
): bigint {
  const record = unbondingOf(ctx, delegator, destination)
  if (record === undefined) return due
  let left = due
  const entries = record.entries.map((entry) => {
    const balance = BigInt(entry.balance)
    const taken = left < balance ? left : balance
    if (taken === 0n || !isLiable(ctx, entry, height)) return entry
    left -= taken
    return { ...entry, balance: (balance - taken).toString() }
  })
  if (left !== due) putUnbonding(ctx, delegator, destination, entries)
  return left
}

/** Slashes stake that left the validator by redelegation, where it lies now, and answers what it owes. */
function slashRedelegation(
  ctx: Context,
  key: RedelegationKey,
  redelegated: readonly RedelegationEntry[],
  { height, fraction }: Infraction,
): bigint {
  let owed = 0n
  let bonded = 0n
  let notBonded = 0n
  for (const entry of redelegated) {
    if (!isLiable(ctx, entry, height)) continue
    const due = dec.truncateInt(dec.mulInt(fraction, BigInt(entry.initialBalance)))
    owed += due
    const left = slashUnbondingAtDestination(ctx, key, due, height)
    notBonded += due - left
    const shares = dec.mul(fraction, BigInt(entry.sharesDst))
    if (shares === 0n || left === 0n) continue
    const held = delegation(ctx, key.delegator, key.destination)
    if (held === undefined) continue
    const tokens = unbond(ctx, key.delegator, key.destination, dec.min(shares, sharesOf(held)))
    const destination = validator(ctx, key.destination)
    if (destination === undefined) throw new Error('the destination of a slashed redelegation is gone')
    if (isBonded(destination)) bonded += tokens
    else notBonded += tokens
  }
  burnFromPool(ctx, BONDED_POOL, bonded)
  burnFromPool(ctx, NOT_BONDED_POOL, notBonded)
  return owed
}

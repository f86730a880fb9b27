import { BondStatus, type Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { type Address, parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import { parsePublicKey } from '../../core/crypto/public-key.ts'
import { beside } from '../../core/remembered.ts'
import { nanosecondsOf, timestampOf } from '../../core/time.ts'
import { stakingError } from './errors.ts'
import { tokensOf, totalShares } from './exchange-rate.ts'
import { notify } from './hooks.ts'
import { params, powerOf } from './params.ts'
import { BONDED_POOL, NOT_BONDED_POOL, type Pool } from './pools.ts'
import * as state from './state.ts'

export const isBonded = (v: Validator): boolean => v.status === BondStatus.BOND_STATUS_BONDED
export const isUnbonding = (v: Validator): boolean => v.status === BondStatus.BOND_STATUS_UNBONDING
export const isUnbonded = (v: Validator): boolean => v.status === BondStatus.BOND_STATUS_UNBONDED

/** The pool that holds the validator's tokens. */
export const poolOf = (v: Validator): Pool => (isBonded(v) ? BONDED_POOL : NOT_BONDED_POOL)

export const operatorOf = (v: { readonly operatorAddress: string }): Address =>
  parseAddress(v.operatorAddress, VALIDATOR_PREFIX)

const consensusAddresses = beside<Validator, Address>()

/** A validator's consensus key is for life. */
export const consensusAddressOf = (v: Validator): Address =>
  consensusAddresses.get(v) ?? consensusAddresses.set(v, parsePublicKey(v.consensusPubkey!).address)

export const validator = (ctx: Context, operator: Address): Readonly<Validator> | undefined =>
  state.validators.get(ctx, operator)

/** Throws staking/3. */
export function requireValidator(ctx: Context, operator: Address): Readonly<Validator> {
  const found = state.validators.get(ctx, operator)
  if (found === undefined) throw stakingError.noValidatorFound()
  return found
}

/** The validator whose consensus key has this address. */
export function validatorByConsensusAddress(ctx: Context, address: Address): Readonly<Validator> | undefined {
  const operator = state.byConsensusAddress.get(ctx, address)
  return operator && state.validators.get(ctx, operator)
}

const rankOf = (ctx: Context, v: Validator): readonly [power: bigint, operator: Address] => [
  powerOf(ctx, tokensOf(v)),
  operatorOf(v),
]

export function rank(ctx: Context, v: Validator): void {
  if (!v.jailed) state.byPower.set(ctx, rankOf(ctx, v), true)
}

/** Writes `after` in place of `before` and moves it in the order of powers. */
export function replaceValidator(ctx: Context, before: Validator, after: Validator): Validator {
  const [power, operator] = rankOf(ctx, before)
  const [newPower] = rankOf(ctx, after)
  state.validators.set(ctx, operator, after)
  if (power !== newPower || before.jailed !== after.jailed) {
    if (!before.jailed) state.byPower.delete(ctx, [power, operator])
    rank(ctx, after)
  }
  return after
}

/** Throws staking/7 where it is in jail. */
export function jailValidator(ctx: Context, v: Validator): Validator {
  if (v.jailed) throw stakingError.validatorJailed('cannot jail already jailed validator')
  return replaceValidator(ctx, v, { ...v, jailed: true })
}

export const unjailValidator = (ctx: Context, v: Validator): Validator =>
  replaceValidator(ctx, v, { ...v, jailed: false })

const queueKey = (v: Validator) => [nanosecondsOf(v.unbondingTime), v.unbondingHeight, operatorOf(v)] as const

export const enqueueUnbonding = (ctx: Context, v: Validator): void =>
  state.validatorQueue.set(ctx, queueKey(v), true)

export function nextUnbondingId(ctx: Context): bigint {
  const id = (state.unbondingId.get(ctx) ?? 0n) + 1n
  state.unbondingId.set(ctx, id)
  return id
}

export function bondValidator(ctx: Context, v: Validator): Validator {
  const bonded = replaceValidator(ctx, v, { ...v, status: BondStatus.BOND_STATUS_BONDED })
  if (isUnbonding(v)) state.validatorQueue.delete(ctx, queueKey(v))
  notify('afterValidatorBonded', ctx, consensusAddressOf(v), operatorOf(v))
  return bonded
}

export function beginUnbondingValidator(ctx: Context, v: Validator): Validator {
  const completion = ctx.timeNs + nanosecondsOf(params(ctx).unbondingTime)
  const unbonding = replaceValidator(ctx, v, {
    ...v,
    status: BondStatus.BOND_STATUS_UNBONDING,
    unbondingTime: timestampOf(completion),
    unbondingHeight: ctx.height,
    unbondingIds: [...v.unbondingIds, nextUnbondingId(ctx)],
  })
  enqueueUnbonding(ctx, unbonding)
  notify('afterValidatorBeginUnbonding', ctx, consensusAddressOf(v), operatorOf(v))
  return unbonding
}

/** Ends the unbonding of every validator whose time and height have come; those without delegations go. */
export function completeUnbondingValidators(ctx: Context): void {
  for (const [key] of [...state.validatorQueue.entries(ctx)]) {
    const [timeNs, height, operator] = key
    if (timeNs > ctx.timeNs) break
    if (height > ctx.height) continue
    state.validatorQueue.delete(ctx, key)
    const v = requireValidator(ctx, operator)
    const unbonded = replaceValidator(ctx, v, { ...v, status: BondStatus.BOND_STATUS_UNBONDED })
    if (totalShares(unbonded) === 0n) removeValidator(ctx, unbonded)
  }
}

/** Removes an unbonded validator without tokens. Throws staking/8. */
export function removeValidator(ctx: Context, v: Validator): void {
  if (!isUnbonded(v))
    throw stakingError.badRemoveValidator('cannot call RemoveValidator on bonded or unbonding validators')
  if (tokensOf(v) > 0n)
    throw stakingError.badRemoveValidator('attempting to remove a validator which still contains tokens')
  const operator = operatorOf(v)
  const consensus = consensusAddressOf(v)
  state.validators.delete(ctx, operator)
  state.byConsensusAddress.delete(ctx, consensus)
  state.byPower.delete(ctx, rankOf(ctx, v))
  notify('afterValidatorRemoved', ctx, consensus, operator)
}

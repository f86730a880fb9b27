import type { Delegation, Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import type { Address } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import type { Dec } from '../../core/dec.ts'
import * as dec from '../../core/dec.ts'
import { supplyOf } from '../bank/api.ts'
import * as delegations from './delegations.ts'
import * as rates from './exchange-rate.ts'
import * as parameters from './params.ts'
import * as pools from './pools.ts'
import * as slashes from './slash.ts'
import * as state from './state.ts'
import * as set from './validator-set.ts'
import * as validators from './validators.ts'

export type { Infraction } from './slash.ts'

export const { BOND_DENOM, params, powerReduction, powerOf } = parameters
export const { BONDED_POOL, NOT_BONDED_POOL } = pools
export const {
  validator,
  requireValidator,
  validatorByConsensusAddress,
  isBonded,
  isUnbonding,
  isUnbonded,
  operatorOf,
  consensusAddressOf,
} = validators
export const { tokensOf, sharesOf, totalShares, tokensFromShares, tokensFromSharesTruncated } = rates
export const { delegation, delegationsOf, delegationsTo, delegate } = delegations
export const { bondedValidatorsByPower, lastValidators, validatorsByPower } = set
export const { slash, tokensLeftSince, tokensRedelegatedSince } = slashes

/** All validators, by operator. */
export const allValidators = (ctx: Context): IterableIterator<readonly [Address, Readonly<Validator>]> =>
  state.validators.entries(ctx)

/** All delegations, by delegator and operator. */
export const allDelegations = (
  ctx: Context,
): IterableIterator<readonly [readonly [delegator: Address, operator: Address], Delegation]> =>
  state.delegations.entries(ctx)

/** Consensus power of the last block's set; 0 outside it. */
export const lastPower = (ctx: Context, operator: Address): bigint =>
  state.lastPowers.get(ctx, operator) ?? 0n

/** Sum of the last block's powers. */
export const lastTotalPower = (ctx: Context): bigint => state.lastTotalPower.get(ctx) ?? 0n

/** Tokens in the bonded pool. */
export const totalBonded = (ctx: Context): bigint => pools.poolBalance(ctx, pools.BONDED_POOL)

/** Bonded part of the supply. */
export function bondedRatio(ctx: Context): Dec {
  const supply = supplyOf(ctx, parameters.params(ctx).bondDenom)
  return supply > 0n ? dec.quoInt(dec.fromInt(totalBonded(ctx)), supply) : 0n
}

/** Takes a validator out of the set at the end of the block. Throws staking/7 where it is in jail, staking/3. */
export function jail(ctx: Context, operator: Address): void {
  validators.jailValidator(ctx, validators.requireValidator(ctx, operator))
}

/** Lets a jailed validator stand for the set again. Throws staking/3. */
export function unjail(ctx: Context, operator: Address): void {
  validators.unjailValidator(ctx, validators.requireValidator(ctx, operator))
}

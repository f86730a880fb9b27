import type { Delegation, Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import type { Address } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import type { Dec } from '../../core/dec.ts'
import * as dec from '../../core/dec.ts'
import { supplyOf } from '../bank/api.ts'
import { params } from './params.ts'
import { BONDED_POOL, poolBalance } from './pools.ts'
import * as state from './state.ts'
import { jailValidator, requireValidator, unjailValidator } from './validators.ts'

export { delegate, delegation, delegationsOf } from './delegations.ts'
export {
  sharesOf,
  tokensFromShares,
  tokensFromSharesTruncated,
  tokensOf,
  totalShares,
} from './exchange-rate.ts'
export { BOND_DENOM, params, powerOf, powerReduction } from './params.ts'
export { BONDED_POOL, NOT_BONDED_POOL } from './pools.ts'
export { type Infraction, slash, tokensLeftSince, tokensRedelegatedSince } from './slash.ts'
export { bondedValidatorsByPower, lastValidators, validatorsByPower } from './validator-set.ts'
export {
  consensusAddressOf,
  isBonded,
  isUnbonded,
  isUnbonding,
  operatorOf,
  requireValidator,
  validator,
  validatorByConsensusAddress,
} from './validators.ts'

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
export const totalBonded = (ctx: Context): bigint => poolBalance(ctx, BONDED_POOL)

/** Bonded part of the supply. */
export function bondedRatio(ctx: Context): Dec {
  const supply = supplyOf(ctx, params(ctx).bondDenom)
  return supply > 0n ? dec.quoInt(dec.fromInt(totalBonded(ctx)), supply) : 0n
}

/** Takes a validator out of the set at the end of the block. Throws staking/7 where it is in jail, staking/3. */
export function jail(ctx: Context, operator: Address): void {
  jailValidator(ctx, requireValidator(ctx, operator))
}

/** Lets a jailed validator stand for the set again. Throws staking/3. */
export function unjail(ctx: Context, operator: Address): void {
  unjailValidator(ctx, requireValidator(ctx, operator))
}

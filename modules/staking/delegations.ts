import type { Delegation, Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { type Address, formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { equalBytes } from '../../core/bytes.ts'
import { addressKey, part } from '../../core/collections.ts'
import type { Context } from '../../core/context.ts'
import type { Dec } from '../../core/dec.ts'
import * as dec from '../../core/dec.ts'
import { decimalFromAtomics } from '../../core/decimal-text.ts'
import { sdk } from '../../core/error.ts'
import { delegateCoins } from '../bank/api.ts'
import { stakingError } from './errors.ts'
import {
  isRateInvalid,
  sharesFromTokens,
  sharesFromTokensTruncated,
  sharesOf,
  tokensFromShares,
  totalShares,
  withoutShares,
  withTokens,
} from './exchange-rate.ts'
import { notify } from './hooks.ts'
import { bondCoins, moveBetweenPools, type Pool } from './pools.ts'
import * as state from './state.ts'
import {
  isUnbonded,
  jailValidator,
  operatorOf,
  poolOf,
  removeValidator,
  replaceValidator,
  requireValidator,
} from './validators.ts'

export const delegation = (ctx: Context, delegator: Address, operator: Address): Delegation | undefined =>
  state.delegations.get(ctx, [delegator, operator])

/** The delegations of one delegator, by operator. */
export function* delegationsOf(
  ctx: Context,
  delegator: Address,
): IterableIterator<readonly [operator: Address, Delegation]> {
  for (const [[, operator], d] of state.delegations.entries(ctx, part(addressKey, delegator)))
    yield [operator, d]
}

export function putDelegation(ctx: Context, delegator: Address, operator: Address, shares: Dec): void {
  const key = [delegator, operator] as const
  if (!state.delegations.has(ctx, key)) state.delegationsByOperator.set(ctx, [operator, delegator], true)
  state.delegations.set(ctx, key, {
    delegatorAddress: formatAddress(delegator),
    validatorAddress: formatAddress(operator, VALIDATOR_PREFIX),
    shares: shares.toString(),
  })
}

function removeDelegation(ctx: Context, delegator: Address, operator: Address): void {
  notify('beforeDelegationRemoved', ctx, delegator, operator)
  state.delegations.delete(ctx, [delegator, operator])
  state.delegationsByOperator.delete(ctx, [operator, delegator])
}

/**
 * Delegates `amount` and answers the new shares. The tokens come out of the delegator's account, or out of the pool
 * `source` where they are staked already. Throws staking/34, sdk/5.
 */
export function delegate(
  ctx: Context,
  delegator: Address,
  v: Validator,
  amount: bigint,
  source: 'account' | Pool,
): Dec {
  if (isRateInvalid(v)) throw stakingError.exchangeRateInvalid()
  const operator = operatorOf(v)
  const held = delegation(ctx, delegator, operator)
  notify(held ? 'beforeDelegationSharesModified' : 'beforeDelegationCreated', ctx, delegator, operator)
  const pool = poolOf(v)
  if (source === 'account') delegateCoins(ctx, delegator, pool, bondCoins(ctx, amount))
  else if (source !== pool) moveBetweenPools(ctx, source, pool, amount)
  const [after, issued] = withTokens(v, amount)
  replaceValidator(ctx, v, after)
  putDelegation(ctx, delegator, operator, dec.add(held ? sharesOf(held) : 0n, issued))
  notify('afterDelegationModified', ctx, delegator, operator)
  return issued
}

/**
 * Takes `shares` out of a delegation and answers the tokens they were, which stay in the validator's pool. An operator
 * that falls below its own minimum is jailed. Throws staking/21, staking/24, staking/3.
 */
export function unbond(ctx: Context, delegator: Address, operator: Address, shares: Dec): bigint {
  const held = delegation(ctx, delegator, operator)
  if (held === undefined) throw stakingError.noDelegatorForAddress()
  notify('beforeDelegationSharesModified', ctx, delegator, operator)
  if (sharesOf(held) < shares) throw stakingError.notEnoughDelegationShares(decimalFromAtomics(held.shares))
  let v: Validator = requireValidator(ctx, operator)
  const left = sharesOf(held) - shares
  if (
    equalBytes(delegator, operator) &&
    !v.jailed &&
    dec.truncateInt(tokensFromShares(v, left)) < BigInt(v.minSelfDelegation)
  )
    v = jailValidator(ctx, v)
  if (left === 0n) removeDelegation(ctx, delegator, operator)
  else {
    putDelegation(ctx, delegator, operator, left)
    notify('afterDelegationModified', ctx, delegator, operator)
  }
  const [after, tokens] = withoutShares(v, shares)
  replaceValidator(ctx, v, after)
  if (totalShares(after) === 0n && isUnbonded(after)) removeValidator(ctx, after)
  return tokens
}

/** The shares that `amount` tokens of a delegation are: all of them where rounding asks for more. Throws staking/3, staking/19, staking/22, sdk/18. */
export function sharesToUnbond(ctx: Context, delegator: Address, operator: Address, amount: bigint): Dec {
  const v = requireValidator(ctx, operator)
  const held = delegation(ctx, delegator, operator)
  if (held === undefined) throw stakingError.noDelegation()
  const shares = sharesFromTokens(v, amount)
  if (sharesFromTokensTruncated(v, amount) > sharesOf(held)) throw sdk.invalidRequest('invalid shares amount')
  return dec.min(shares, sharesOf(held))
}

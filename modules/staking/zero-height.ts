import type { Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { type Address, formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import * as state from './state.ts'
import { updateValidatorSet } from './validator-set.ts'
import { enqueueUnbonding, isUnbonding, replaceValidator } from './validators.ts'

const createdAtZero = <E extends { readonly creationHeight: bigint }>(entries: readonly E[]): E[] =>
  entries.map((entry) => ({ ...entry, creationHeight: 0n }))

/**
 * For an export that starts again at height zero: unbondings and redelegations begin there, their times stay. Where
 * `allowed` is given, all other validators are jailed, and the best of those that are left make up the set.
 */
export function prepareForZeroHeight(ctx: Context, allowed?: readonly Address[]): void {
  for (const [key, redelegation] of [...state.redelegations.entries(ctx)])
    state.redelegations.set(ctx, key, {
      ...redelegation,
      entries: createdAtZero(redelegation.entries),
    })
  for (const [key, unbonding] of [...state.unbondings.entries(ctx)])
    state.unbondings.set(ctx, key, { ...unbonding, entries: createdAtZero(unbonding.entries) })
  for (const [key] of [...state.validatorQueue.entries(ctx)]) state.validatorQueue.delete(ctx, key)
  const stays = allowed && new Set(allowed.map((operator) => formatAddress(operator, VALIDATOR_PREFIX)))
  for (const [, before] of [...state.validators.entries(ctx)]) {
    const jailed = before.jailed || stays?.has(before.operatorAddress) === false
    const after: Validator = { ...before, jailed, unbondingHeight: 0n }
    replaceValidator(ctx, before, after)
    if (isUnbonding(after)) enqueueUnbonding(ctx, after)
  }
  updateValidatorSet(ctx.atHeight(0n))
}

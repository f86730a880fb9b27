import type { Address } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import type { Dec } from '../../core/dec.ts'
import { notifierOf } from '../../core/hooks.ts'

/** Hooks by which other modules act when staking changes something. `operator` names the validator, `consensus` its key. */
export interface StakingHooks {
  readonly afterValidatorCreated?: (ctx: Context, operator: Address) => void
  readonly beforeValidatorModified?: (ctx: Context, operator: Address) => void
  readonly afterValidatorRemoved?: (ctx: Context, consensus: Address, operator: Address) => void
  readonly afterValidatorBonded?: (ctx: Context, consensus: Address, operator: Address) => void
  readonly afterValidatorBeginUnbonding?: (ctx: Context, consensus: Address, operator: Address) => void
  readonly beforeDelegationCreated?: (ctx: Context, delegator: Address, operator: Address) => void
  readonly beforeDelegationSharesModified?: (ctx: Context, delegator: Address, operator: Address) => void
  readonly beforeDelegationRemoved?: (ctx: Context, delegator: Address, operator: Address) => void
  readonly afterDelegationModified?: (ctx: Context, delegator: Address, operator: Address) => void
  /** `fraction` of the validator's tokens is about to be burned: 0 < fraction <= 1. */
  readonly beforeValidatorSlashed?: (ctx: Context, operator: Address, fraction: Dec) => void
}

export const notify = notifierOf<StakingHooks>('staking')

import type { Address } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import * as agents from '../../modules/agents/api.ts'
import * as classifier from '../../modules/classifier/api.ts'
import * as distribution from '../../modules/distribution/api.ts'
import * as slashing from '../../modules/slashing/api.ts'
import * as staking from '../../modules/staking/api.ts'

/**
 * Rewrites a state, which is not to be committed, so that a chain can begin with it at height 1: rewards are paid out,
 * heights forgotten. Where `allowed` is given, validators that are not among these operators are jailed.
 */
export function prepareForZeroHeight(ctx: Context, allowed?: readonly Address[]): void {
  distribution.prepareForZeroHeight(ctx)
  staking.prepareForZeroHeight(ctx, allowed)
  slashing.prepareForZeroHeight(ctx)
  classifier.prepareForZeroHeight(ctx)
  agents.prepareForZeroHeight(ctx)
}

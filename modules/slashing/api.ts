import type { ValidatorSigningInfo } from 'cosmjs-types/cosmos/slashing/v1beta1/slashing'
import type { Address } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import type { Dec } from '../../core/dec.ts'
import * as staking from '../staking/api.ts'
import * as parameters from './params.ts'
import * as penalties from './penalties.ts'
import { signingInfoOf } from './signing-info.ts'

export const { params } = parameters
export const {
  slash,
  slashInfraction,
  jail,
  jailUntil,
  isHeldInJail,
  release,
  tombstone,
  isTombstoned,
  pardon,
} = penalties

/** Part of a validator's stake that equivocation costs. */
export const doubleSignFraction = (ctx: Context): Dec =>
  parameters.decimalOf(parameters.params(ctx).slashFractionDoubleSign)

/** What is known of a validator's signing; nothing where it was never in the set. Throws staking/3. */
export const signingInfo = (ctx: Context, operator: Address): ValidatorSigningInfo | undefined =>
  signingInfoOf(ctx, staking.consensusAddressOf(staking.requireValidator(ctx, operator)))

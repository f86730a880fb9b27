import type { ValidatorSigningInfo } from 'cosmjs-types/cosmos/slashing/v1beta1/slashing'
import type { Address } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import type { Dec } from '../../core/dec.ts'
import * as staking from '../staking/api.ts'
import { decimalOf, params } from './params.ts'
import { signingInfoOf } from './signing-info.ts'

export { params } from './params.ts'
export {
  isHeldInJail,
  isTombstoned,
  jail,
  jailUntil,
  pardon,
  release,
  slash,
  slashInfraction,
  tombstone,
} from './penalties.ts'

/** Part of a validator's stake that equivocation costs. */
export const doubleSignFraction = (ctx: Context): Dec => decimalOf(params(ctx).slashFractionDoubleSign)

/** A validator's signing info; nothing where it was never in the set. Throws staking/3. */
export const signingInfo = (ctx: Context, operator: Address): ValidatorSigningInfo | undefined =>
  signingInfoOf(ctx, staking.consensusAddressOf(staking.requireValidator(ctx, operator)))

import type { Params, Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import type { Address } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import * as state from './state.ts'

/** Tokens of one unit of consensus power: 1 FRX = 10^18 afrx. */
export const POWER_REDUCTION = 10n ** 18n
export const BONDED_POOL = 'bonded_tokens_pool'
export const NOT_BONDED_POOL = 'not_bonded_tokens_pool'
export const BOND_DENOM = 'afrx'

export const defaultParams = (): Params => ({
  unbondingTime: { seconds: 1_814_400n, nanos: 0 },
  maxValidators: 100,
  maxEntries: 7,
  historicalEntries: 10_000,
  bondDenom: BOND_DENOM,
  minCommissionRate: '0',
})

export const params = (ctx: Context): Params => state.params.get(ctx) ?? defaultParams()

export const validator = (ctx: Context, operator: Address): Validator | undefined =>
  state.validators.get(ctx, operator)

/** The validator whose consensus key has this address. */
export function validatorByConsensusAddress(ctx: Context, address: Address): Validator | undefined {
  const operator = state.byConsensusAddress.get(ctx, address)
  return operator && state.validators.get(ctx, operator)
}

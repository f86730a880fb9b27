import type { Params } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { isDenom } from '../../core/coin.ts'
import type { Context } from '../../core/context.ts'
import * as dec from '../../core/dec.ts'
import { unregistered } from '../../core/error.ts'
import { nanosecondsOf } from '../../core/time.ts'
import * as state from './state.ts'

/** Tokens of one unit of consensus power unless genesis says otherwise: 1 FRX = 10^18 afrx. */
export const DEFAULT_POWER_REDUCTION = 10n ** 18n
export const BOND_DENOM = 'afrx'

export const defaultParams = (): Params => ({
  unbondingTime: { seconds: 1_814_400n, nanos: 0 },
  maxValidators: 100,
  maxEntries: 7,
  historicalEntries: 10_000,
  bondDenom: BOND_DENOM,
  minCommissionRate: '0',
})

export const params = (ctx: Context): Readonly<Params> => state.params.get(ctx) ?? defaultParams()

export const powerReduction = (ctx: Context): bigint =>
  state.powerReduction.get(ctx) ?? DEFAULT_POWER_REDUCTION

/** Tokens to whole units of consensus power, downwards. */
export const powerOf = (ctx: Context, tokens: bigint): bigint => tokens / powerReduction(ctx)

/** Throws undefined/1, as the SDK. */
export function checkParams(p: Params): void {
  if (nanosecondsOf(p.unbondingTime) <= 0n) throw unregistered('unbonding time must be positive')
  if (p.maxValidators === 0) throw unregistered('max validators must be positive: 0')
  if (p.maxEntries === 0) throw unregistered('max entries must be positive: 0')
  if (p.bondDenom.trim() === '') throw unregistered('bond denom cannot be blank')
  if (!isDenom(p.bondDenom)) throw unregistered(`invalid denom: ${p.bondDenom}`)
  const minimum = BigInt(p.minCommissionRate)
  if (minimum < 0n) throw unregistered('minimum commission rate cannot be negative')
  if (minimum > dec.ONE) throw unregistered('minimum commission rate cannot be greater than 100%')
}

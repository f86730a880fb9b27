import type { Commission, CommissionRates } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import type { Context } from '../../core/context.ts'
import type { Dec } from '../../core/dec.ts'
import * as dec from '../../core/dec.ts'
import { panic, sdk } from '../../core/error.ts'
import { nanosecondsOf, timestampOf } from '../../core/time.ts'
import { stakingError } from './errors.ts'

const DAY_NS = 86_400_000_000_000n

/** Go has no number where a text is empty. Throws undefined/111222. */
export function present(text: string): bigint {
  if (text === '') throw panic('a number is missing')
  return BigInt(text)
}

/** Throws sdk/18, staking/9 … 11, 13 and 14, and undefined/111222 where one of the rates is missing. */
export function checkCommission(rates: CommissionRates): void {
  if (Object.values(rates).every((rate) => rate === '')) throw sdk.invalidRequest('empty commission')
  const maxRate = present(rates.maxRate)
  if (maxRate < 0n) throw stakingError.commissionNegative()
  if (maxRate > dec.ONE) throw stakingError.commissionHuge()
  const rate = present(rates.rate)
  if (rate < 0n) throw stakingError.commissionNegative()
  if (rate > maxRate) throw stakingError.commissionAboveMaxRate()
  const maxChange = present(rates.maxChangeRate)
  if (maxChange < 0n) throw stakingError.commissionChangeRateNegative()
  if (maxChange > maxRate) throw stakingError.commissionChangeRateAboveMaxRate()
}

/** The commission at a new rate from now on. Throws staking/9, 11, 12 and 15. */
export function changeCommission(ctx: Context, commission: Commission, rate: Dec): Commission {
  const { commissionRates: old, updateTime } = commission
  if (ctx.timeNs - nanosecondsOf(updateTime) < DAY_NS) throw stakingError.commissionUpdateTime()
  if (rate < 0n) throw stakingError.commissionNegative()
  if (rate > BigInt(old.maxRate)) throw stakingError.commissionAboveMaxRate()
  if (rate - BigInt(old.rate) > BigInt(old.maxChangeRate)) throw stakingError.commissionAboveMaxChangeRate()
  return { commissionRates: { ...old, rate: rate.toString() }, updateTime: timestampOf(ctx.timeNs) }
}

import type { Commission, CommissionRates } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import type { Context } from '../../core/context.ts'
import type { Dec } from '../../core/dec.ts'
import * as dec from '../../core/dec.ts'
import { nanosecondsOf, timestampOf } from '../../core/time.ts'
import { stakingError } from './errors.ts'

const DAY_NS = 86_400_000_000_000n

/** Throws staking/9 … 11, 13 and 14. */
export function checkCommission(rates: CommissionRates): void {
  const [rate, maxRate, maxChange] = [rates.rate, rates.maxRate, rates.maxChangeRate].map(BigInt) as [
    Dec,
    Dec,
    Dec,
  ]
  if (maxRate < 0n) throw stakingError.commissionNegative()
  if (maxRate > dec.ONE) throw stakingError.commissionHuge()
  if (rate < 0n) throw stakingError.commissionNegative()
  if (rate > maxRate) throw stakingError.commissionAboveMaxRate()
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

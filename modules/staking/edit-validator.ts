import type { Commission, Description, Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import type { MsgEditValidator } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import * as dec from '../../core/dec.ts'
import { decimalFromAtomics } from '../../core/decimal-text.ts'
import { sdk } from '../../core/error.ts'
import { changeCommission } from './commission.ts'
import { checkDescription } from './create-validator.ts'
import { stakingError } from './errors.ts'
import { tokensOf } from './exchange-rate.ts'
import { notify } from './hooks.ts'
import { params } from './params.ts'
import { replaceValidator, requireValidator } from './validators.ts'

/** The text that a client sends for one that stays as it is. */
const KEEP = '[do-not-modify]'

/** Throws sdk/7 and sdk/18. An empty rate or minimum stays as it is. */
export function checkEditValidator(m: MsgEditValidator): void {
  parseAddress(m.validatorAddress, VALIDATOR_PREFIX)
  if (Object.values(m.description).every((text) => text === '')) throw sdk.invalidRequest('empty description')
  if (m.minSelfDelegation !== '' && BigInt(m.minSelfDelegation) <= 0n)
    throw sdk.invalidRequest('minimum self delegation must be a positive integer')
  const rate = BigInt(m.commissionRate)
  if (rate > dec.ONE || rate < 0n)
    throw sdk.invalidRequest('commission rate must be between 0 and 1 (inclusive)')
}

function merged(old: Description, change: Description): Description {
  const pick = (name: keyof Description): string => (change[name] === KEEP ? old[name] : change[name])
  return {
    moniker: pick('moniker'),
    identity: pick('identity'),
    website: pick('website'),
    securityContact: pick('securityContact'),
    details: pick('details'),
  }
}

/** Throws sdk/18, staking/3, staking/12 … 17. */
export function editValidator(ctx: Context, m: MsgEditValidator): void {
  const operator = parseAddress(m.validatorAddress, VALIDATOR_PREFIX)
  const minimumRate = params(ctx).minCommissionRate
  if (m.commissionRate !== '' && BigInt(m.commissionRate) < BigInt(minimumRate))
    throw sdk.invalidRequest(
      `commission rate cannot be less than the min commission rate ${decimalFromAtomics(minimumRate)}`,
    )
  const before = requireValidator(ctx, operator)
  let after: Validator = { ...before, description: merged(before.description, m.description) }
  checkDescription(after.description)
  if (m.commissionRate !== '') {
    const commission = changeCommission(ctx, before.commission, BigInt(m.commissionRate))
    notify('beforeValidatorModified', ctx, operator)
    after = { ...after, commission }
  }
  if (m.minSelfDelegation !== '') {
    const minimum = BigInt(m.minSelfDelegation)
    if (minimum <= BigInt(before.minSelfDelegation)) throw stakingError.minSelfDelegationDecreased()
    if (minimum > tokensOf(before)) throw stakingError.selfDelegationBelowMinimum()
    after = { ...after, minSelfDelegation: m.minSelfDelegation }
  }
  replaceValidator(ctx, before, after)
  ctx.emit('edit_validator', {
    commission_rate: describe(after.commission),
    min_self_delegation: after.minSelfDelegation,
  })
}

/** As the SDK prints a Commission: protobuf's text on one line, rates in atomics. */
function describe({ commissionRates: r, updateTime: { seconds, nanos } }: Commission): string {
  const rates = `rate:"${r.rate}" max_rate:"${r.maxRate}" max_change_rate:"${r.maxChangeRate}" `
  const time = `seconds:${seconds} ${nanos === 0 ? '' : `nanos:${nanos} `}`
  return `commission_rates:<${rates}> update_time:<${time}> `
}

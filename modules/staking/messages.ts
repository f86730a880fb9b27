import * as tx from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { type Coin, isDenom } from '../../core/coin.ts'
import type { Context } from '../../core/context.ts'
import { decimalFromAtomics } from '../../core/decimal-text.ts'
import { sdk } from '../../core/error.ts'
import { messages } from '../../core/module.ts'
import { paramsMessage } from '../../core/params-message.ts'
import { formatTimestamp, type Seconds, timestampOf } from '../../core/time.ts'
import { checkCreateValidator, checkKeyKind, createValidator } from './create-validator.ts'
import { delegate, sharesToUnbond } from './delegations.ts'
import { checkEditValidator, editValidator } from './edit-validator.ts'
import { checkParams, params } from './params.ts'
import { redelegate } from './redelegations.ts'
import * as state from './state.ts'
import { cancelUnbonding, undelegate } from './unbonding.ts'
import { requireValidator } from './validators.ts'

/** Go's zero time: what a redelegation that needs no waiting answers. */
const ZERO_TIME: Seconds = { seconds: -62_135_596_800n, nanos: 0 }

/** RFC 3339 in whole seconds. */
const formatSeconds = ({ seconds }: Seconds): string => formatTimestamp({ seconds, nanos: 0 })

function requirePositive({ denom, amount }: Coin, what: string): void {
  if (!isDenom(denom) || BigInt(amount) <= 0n) throw sdk.invalidRequest(what)
}

function requireBondDenom(ctx: Context, { denom }: Coin): void {
  const { bondDenom } = params(ctx)
  if (denom !== bondDenom)
    throw sdk.invalidRequest(`invalid coin denomination: got ${denom}, expected ${bondDenom}`)
}

export const stakingMessages = messages<tx.Msg>('cosmos.staking.v1beta1.Msg', tx, {
  CreateValidator: {
    summary: 'make a validator of your own',
    checkEncoding: checkKeyKind,
    check: checkCreateValidator,
    run(ctx, message) {
      createValidator(ctx, message)
      return {}
    },
  },
  EditValidator: {
    summary: 'change how your validator presents itself',
    check: checkEditValidator,
    run(ctx, message) {
      editValidator(ctx, message)
      return {}
    },
  },
  Delegate: {
    summary: 'stake coins with a validator',
    check({ validatorAddress, delegatorAddress, amount }) {
      parseAddress(validatorAddress, VALIDATOR_PREFIX)
      parseAddress(delegatorAddress)
      requirePositive(amount, 'invalid delegation amount')
    },
    run(ctx, { validatorAddress, delegatorAddress, amount }) {
      const operator = parseAddress(validatorAddress, VALIDATOR_PREFIX)
      const v = requireValidator(ctx, operator)
      requireBondDenom(ctx, amount)
      const shares = delegate(ctx, parseAddress(delegatorAddress), v, BigInt(amount.amount), 'account')
      ctx.emit('delegate', {
        validator: validatorAddress,
        delegator: delegatorAddress,
        amount: amount.amount + amount.denom,
        new_shares: decimalFromAtomics(shares.toString()),
      })
      return {}
    },
  },
  BeginRedelegate: {
    summary: 'move stake from one validator to another',
    alias: 'redelegate',
    check({ validatorSrcAddress, validatorDstAddress, delegatorAddress, amount }) {
      parseAddress(validatorSrcAddress, VALIDATOR_PREFIX)
      parseAddress(validatorDstAddress, VALIDATOR_PREFIX)
      parseAddress(delegatorAddress)
      requirePositive(amount, 'invalid shares amount')
    },
    run(ctx, { validatorSrcAddress, validatorDstAddress, delegatorAddress, amount }) {
      const key = {
        delegator: parseAddress(delegatorAddress),
        source: parseAddress(validatorSrcAddress, VALIDATOR_PREFIX),
        destination: parseAddress(validatorDstAddress, VALIDATOR_PREFIX),
      }
      const shares = sharesToUnbond(ctx, key.delegator, key.source, BigInt(amount.amount))
      requireBondDenom(ctx, amount)
      const completionNs = redelegate(ctx, key, shares)
      const completionTime = completionNs === undefined ? ZERO_TIME : timestampOf(completionNs)
      ctx.emit('redelegate', {
        source_validator: validatorSrcAddress,
        destination_validator: validatorDstAddress,
        amount: amount.amount + amount.denom,
        completion_time: formatSeconds(completionTime),
      })
      return { completionTime }
    },
  },
  Undelegate: {
    summary: 'begin to take stake back',
    alias: 'unbond',
    check({ validatorAddress, delegatorAddress, amount }) {
      parseAddress(validatorAddress, VALIDATOR_PREFIX)
      parseAddress(delegatorAddress)
      requirePositive(amount, 'invalid shares amount')
    },
    run(ctx, { validatorAddress, delegatorAddress, amount }) {
      const delegator = parseAddress(delegatorAddress)
      const operator = parseAddress(validatorAddress, VALIDATOR_PREFIX)
      const shares = sharesToUnbond(ctx, delegator, operator, BigInt(amount.amount))
      requireBondDenom(ctx, amount)
      const begun = undelegate(ctx, delegator, operator, shares)
      const completionTime = timestampOf(begun.completionNs)
      ctx.emit('unbond', {
        validator: validatorAddress,
        delegator: delegatorAddress,
        amount: begun.amount + amount.denom,
        completion_time: formatSeconds(completionTime),
      })
      return { completionTime, amount: { denom: amount.denom, amount: begun.amount.toString() } }
    },
  },
  CancelUnbondingDelegation: {
    summary: 'stake again what was being taken back',
    alias: 'cancel-unbond',
    check({ validatorAddress, delegatorAddress, amount, creationHeight }) {
      parseAddress(validatorAddress, VALIDATOR_PREFIX)
      parseAddress(delegatorAddress)
      requirePositive(amount, 'invalid amount')
      if (creationHeight <= 0n) throw sdk.invalidRequest('invalid height')
    },
    run(ctx, { validatorAddress, delegatorAddress, amount, creationHeight }) {
      requireBondDenom(ctx, amount)
      cancelUnbonding(
        ctx,
        parseAddress(delegatorAddress),
        parseAddress(validatorAddress, VALIDATOR_PREFIX),
        creationHeight,
        BigInt(amount.amount),
      )
      ctx.emit('cancel_unbonding_delegation', {
        amount: amount.amount + amount.denom,
        validator: validatorAddress,
        delegator: delegatorAddress,
        creation_height: creationHeight.toString(),
      })
      return {}
    },
  },
  UpdateParams: paramsMessage(state.params, checkParams, 'change the parameters (by a proposal)'),
})

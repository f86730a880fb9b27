import * as query from 'cosmjs-types/cosmos/staking/v1beta1/query'
import * as types from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { bondStatusToJSON } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { addressKey, part } from '../../core/collections.ts'
import type { Context } from '../../core/context.ts'
import * as dec from '../../core/dec.ts'
import { sdk } from '../../core/error.ts'
import { queries } from '../../core/module.ts'
import { paginate, paginateSome } from '../../core/pagination.ts'
import { registerTypes } from '../../core/wire/registry.ts'
import { delegation } from './delegations.ts'
import { sharesOf, tokensFromShares } from './exchange-rate.ts'
import { params } from './params.ts'
import { BONDED_POOL, NOT_BONDED_POOL, poolBalance } from './pools.ts'
import { redelegation } from './redelegations.ts'
import * as state from './state.ts'
import { unbondingOf } from './unbonding.ts'
import { requireValidator, validator } from './validators.ts'

registerTypes(types)

const parseOperator = (text: string) => parseAddress(text, VALIDATOR_PREFIX)

/** A delegation with the tokens it is worth, downwards. */
function withBalance(ctx: Context, d: types.Delegation): types.DelegationResponse {
  const v = requireValidator(ctx, parseOperator(d.validatorAddress))
  const amount = dec.truncateInt(tokensFromShares(v, sharesOf(d))).toString()
  return { delegation: d, balance: { denom: params(ctx).bondDenom, amount } }
}

function redelegationWithBalances(ctx: Context, r: types.Redelegation): types.RedelegationResponse {
  const v = requireValidator(ctx, parseOperator(r.validatorDstAddress))
  const entries = r.entries.map((entry) => ({
    redelegationEntry: entry,
    balance: dec.truncateInt(tokensFromShares(v, BigInt(entry.sharesDst))).toString(),
  }))
  return { redelegation: { ...r, entries: [] }, entries }
}

function requireStatus(status: string): void {
  if (status !== '' && !/^BOND_STATUS_(UNBONDED|UNBONDING|BONDED)$/.test(status))
    throw sdk.invalidRequest(`invalid validator status ${status.slice(0, 60)}`)
}

function redelegationsPage(ctx: Context, request: query.QueryRedelegationsRequest) {
  const { delegatorAddr, srcValidatorAddr, dstValidatorAddr, pagination } = request
  if (delegatorAddr === '' && srcValidatorAddr !== '' && dstValidatorAddr === '')
    return paginate(
      ctx,
      state.redelegationsBySource,
      pagination,
      ([source, delegator, destination]) =>
        redelegationWithBalances(ctx, redelegation(ctx, { delegator, source, destination })!),
      part(addressKey, parseOperator(srcValidatorAddr)),
    )
  return paginate(
    ctx,
    state.redelegations,
    pagination,
    (_, r) => redelegationWithBalances(ctx, r),
    part(addressKey, parseAddress(delegatorAddr)),
  )
}

export const stakingQueries = queries<query.Query>('cosmos.staking.v1beta1.Query', query, {
  Validators(ctx, { status, pagination }) {
    requireStatus(status)
    const page =
      status === ''
        ? paginate(ctx, state.validators, pagination, (_, v) => v)
        : paginateSome(ctx, state.validators, pagination, (_, v) =>
            bondStatusToJSON(v.status) === status ? v : undefined,
          )
    return { validators: page.items, pagination: page.pagination }
  },
  Validator(ctx, { validatorAddr }) {
    const found = validator(ctx, parseOperator(validatorAddr))
    if (found === undefined) throw sdk.keyNotFound(`validator ${validatorAddr} not found`)
    return { validator: found }
  },
  ValidatorDelegations: {
    alias: 'delegations-to',
    run(ctx, { validatorAddr, pagination }) {
      const page = paginate(
        ctx,
        state.delegationsByOperator,
        pagination,
        ([operator, delegator]) => withBalance(ctx, delegation(ctx, delegator, operator)!),
        part(addressKey, parseOperator(validatorAddr)),
      )
      return { delegationResponses: page.items, pagination: page.pagination }
    },
  },
  ValidatorUnbondingDelegations(ctx, { validatorAddr, pagination }) {
    const page = paginate(
      ctx,
      state.unbondingsByOperator,
      pagination,
      ([operator, delegator]) => unbondingOf(ctx, delegator, operator)!,
      part(addressKey, parseOperator(validatorAddr)),
    )
    return { unbondingResponses: page.items, pagination: page.pagination }
  },
  Delegation(ctx, { delegatorAddr, validatorAddr }) {
    const found = delegation(ctx, parseAddress(delegatorAddr), parseOperator(validatorAddr))
    if (found === undefined)
      throw sdk.keyNotFound(
        `delegation with delegator ${delegatorAddr} not found for validator ${validatorAddr}`,
      )
    return { delegationResponse: withBalance(ctx, found) }
  },
  UnbondingDelegation(ctx, { delegatorAddr, validatorAddr }) {
    const unbond = unbondingOf(ctx, parseAddress(delegatorAddr), parseOperator(validatorAddr))
    if (unbond === undefined)
      throw sdk.keyNotFound(
        `unbonding delegation with delegator ${delegatorAddr} not found for validator ${validatorAddr}`,
      )
    return { unbond }
  },
  DelegatorDelegations: {
    alias: 'delegations',
    run(ctx, { delegatorAddr, pagination }) {
      const within = part(addressKey, parseAddress(delegatorAddr))
      const page = paginate(ctx, state.delegations, pagination, (_, d) => withBalance(ctx, d), within)
      return { delegationResponses: page.items, pagination: page.pagination }
    },
  },
  DelegatorUnbondingDelegations(ctx, { delegatorAddr, pagination }) {
    const within = part(addressKey, parseAddress(delegatorAddr))
    const page = paginate(ctx, state.unbondings, pagination, (_, u) => u, within)
    return { unbondingResponses: page.items, pagination: page.pagination }
  },
  Redelegations(ctx, request) {
    const { delegatorAddr, srcValidatorAddr, dstValidatorAddr } = request
    if (delegatorAddr !== '' && srcValidatorAddr !== '' && dstValidatorAddr !== '') {
      const found = redelegation(ctx, {
        delegator: parseAddress(delegatorAddr),
        source: parseOperator(srcValidatorAddr),
        destination: parseOperator(dstValidatorAddr),
      })
      if (found === undefined)
        throw sdk.keyNotFound(
          `redelegation not found for delegator address ${delegatorAddr} from validator address ${srcValidatorAddr}`,
        )
      return { redelegationResponses: [redelegationWithBalances(ctx, found)] }
    }
    const page = redelegationsPage(ctx, request)
    return { redelegationResponses: page.items, pagination: page.pagination }
  },
  DelegatorValidators(ctx, { delegatorAddr, pagination }) {
    const within = part(addressKey, parseAddress(delegatorAddr))
    const page = paginate(
      ctx,
      state.delegations,
      pagination,
      ([, operator]) => requireValidator(ctx, operator),
      within,
    )
    return { validators: page.items, pagination: page.pagination }
  },
  DelegatorValidator(ctx, { delegatorAddr, validatorAddr }) {
    const operator = parseOperator(validatorAddr)
    if (delegation(ctx, parseAddress(delegatorAddr), operator) === undefined)
      throw sdk.keyNotFound(
        `delegation with delegator ${delegatorAddr} not found for validator ${validatorAddr}`,
      )
    return { validator: requireValidator(ctx, operator) }
  },
  HistoricalInfo(ctx, { height }) {
    if (height < 0n) throw sdk.invalidRequest('height cannot be negative')
    const hist = state.historicalInfos.get(ctx, height)
    if (hist === undefined) throw sdk.keyNotFound(`historical info for height ${height} not found`)
    return { hist }
  },
  Params: (ctx) => ({ params: params(ctx) }),
  Pool: (ctx) => ({
    pool: {
      bondedTokens: poolBalance(ctx, BONDED_POOL).toString(),
      notBondedTokens: poolBalance(ctx, NOT_BONDED_POOL).toString(),
    },
  }),
})

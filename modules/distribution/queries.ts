import * as types from 'cosmjs-types/cosmos/distribution/v1beta1/distribution'
import * as query from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import { formatAddress, parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { addressKey, part } from '../../core/collections.ts'
import { sumDecCoins } from '../../core/dec-coins.ts'
import { sdk } from '../../core/error.ts'
import { queries } from '../../core/module.ts'
import { paginateSome } from '../../core/pagination.ts'
import { registerTypes } from '../../core/wire/registry.ts'
import { delegationsOf, requireValidator } from '../staking/api.ts'
import { communityPool } from './community-pool.ts'
import { pendingRewards, requireDelegation } from './delegation-rewards.ts'
import { params } from './params.ts'
import { commissionOf, outstandingOf } from './periods.ts'
import * as state from './state.ts'
import { withdrawAddressOf } from './withdrawals.ts'

registerTypes(types)

const parseOperator = (text: string) => parseAddress(text, VALIDATOR_PREFIX)

export const distributionQueries = queries<query.Query>('cosmos.distribution.v1beta1.Query', query, {
  Params: (ctx) => ({ params: params(ctx) }),
  ValidatorDistributionInfo(ctx, { validatorAddress }) {
    const operator = parseOperator(validatorAddress)
    requireValidator(ctx, operator)
    requireDelegation(ctx, operator, operator)
    return {
      operatorAddress: formatAddress(operator),
      selfBondRewards: pendingRewards(ctx, operator, operator),
      commission: commissionOf(ctx, operator),
    }
  },
  ValidatorOutstandingRewards(ctx, { validatorAddress }) {
    const operator = parseOperator(validatorAddress)
    requireValidator(ctx, operator)
    return { rewards: { rewards: outstandingOf(ctx, operator) } }
  },
  ValidatorCommission: {
    alias: 'commission',
    run(ctx, { validatorAddress }) {
      const operator = parseOperator(validatorAddress)
      requireValidator(ctx, operator)
      return { commission: { commission: commissionOf(ctx, operator) } }
    },
  },
  ValidatorSlashes: {
    alias: 'slashes',
    run(ctx, { validatorAddress, startingHeight, endingHeight, pagination }) {
      if (endingHeight < startingHeight)
        throw sdk.invalidRequest(
          `starting height greater than ending height (${startingHeight} > ${endingHeight})`,
        )
      const page = paginateSome(
        ctx,
        state.slashEvents,
        pagination,
        // The SDK compares periods with the heights asked for; so do we.
        (_, event) =>
          event.validatorPeriod < startingHeight || event.validatorPeriod > endingHeight ? undefined : event,
        part(addressKey, parseOperator(validatorAddress)),
      )
      return { slashes: page.items, pagination: page.pagination }
    },
  },
  DelegationRewards: {
    alias: 'rewards-by-validator',
    run(ctx, { delegatorAddress, validatorAddress }) {
      const operator = parseOperator(validatorAddress)
      requireValidator(ctx, operator)
      const delegator = parseAddress(delegatorAddress)
      requireDelegation(ctx, delegator, operator)
      return { rewards: pendingRewards(ctx, delegator, operator) }
    },
  },
  DelegationTotalRewards: {
    alias: 'rewards',
    run(ctx, { delegatorAddress }) {
      const delegator = parseAddress(delegatorAddress)
      const rewards = [...delegationsOf(ctx, delegator)].map(([operator, { validatorAddress }]) => ({
        validatorAddress,
        reward: pendingRewards(ctx, delegator, operator),
      }))
      return { rewards, total: sumDecCoins(rewards.map((r) => r.reward)) }
    },
  },
  DelegatorValidators: (ctx, { delegatorAddress }) => ({
    validators: [...delegationsOf(ctx, parseAddress(delegatorAddress))].map(([, d]) => d.validatorAddress),
  }),
  DelegatorWithdrawAddress: (ctx, { delegatorAddress }) => ({
    withdrawAddress: formatAddress(withdrawAddressOf(ctx, parseAddress(delegatorAddress))),
  }),
  CommunityPool: (ctx) => ({ pool: communityPool(ctx) }),
})

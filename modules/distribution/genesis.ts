import type { GenesisState } from 'cosmjs-types/cosmos/distribution/v1beta1/genesis'
import * as genesisTypes from 'cosmjs-types/cosmos/distribution/v1beta1/genesis'
import {
  type Address,
  CONSENSUS_PREFIX,
  formatAddress,
  moduleAddress,
  parseAddress,
  VALIDATOR_PREFIX,
} from '../../core/address.ts'
import { formatCoins } from '../../core/coin.ts'
import type { Context } from '../../core/context.ts'
import { isAnyNegative, sumDecCoins, truncateDecCoins } from '../../core/dec-coins.ts'
import { sdk, unregistered } from '../../core/error.ts'
import { genesis } from '../../core/module.ts'
import { registerTypes } from '../../core/wire/registry.ts'
import { balancesOf } from '../bank/api.ts'
import { ACCOUNT, communityPool } from './community-pool.ts'
import { checkParams, defaultParams, params } from './params.ts'
import * as state from './state.ts'

registerTypes(genesisTypes)

const parseOperator = (text: string) => parseAddress(text, VALIDATOR_PREFIX)

function validate(g: GenesisState): void {
  checkParams(g.params)
  if (isAnyNegative(g.feePool.communityPool))
    throw unregistered('negative CommunityPool in distribution fee pool')
  if (g.previousProposer !== '') parseAddress(g.previousProposer, CONSENSUS_PREFIX)
  for (const { delegatorAddress, withdrawAddress } of g.delegatorWithdrawInfos) {
    parseAddress(delegatorAddress)
    parseAddress(withdrawAddress)
  }
  for (const { delegatorAddress } of g.delegatorStartingInfos) parseAddress(delegatorAddress)
  for (const { validatorAddress } of [
    ...g.outstandingRewards,
    ...g.validatorAccumulatedCommissions,
    ...g.validatorHistoricalRewards,
    ...g.validatorCurrentRewards,
    ...g.delegatorStartingInfos,
    ...g.validatorSlashEvents,
  ])
    parseOperator(validatorAddress)
}

function init(ctx: Context, g: GenesisState): void {
  state.feePool.set(ctx, g.feePool)
  state.params.set(ctx, g.params)
  for (const { delegatorAddress, withdrawAddress } of g.delegatorWithdrawInfos)
    state.withdrawAddresses.set(ctx, parseAddress(delegatorAddress), parseAddress(withdrawAddress))
  if (g.previousProposer !== '')
    state.previousProposer.set(ctx, parseAddress(g.previousProposer, CONSENSUS_PREFIX))
  for (const { validatorAddress, outstandingRewards } of g.outstandingRewards)
    state.outstanding.set(ctx, parseOperator(validatorAddress), { rewards: outstandingRewards })
  for (const { validatorAddress, accumulated } of g.validatorAccumulatedCommissions)
    state.commissions.set(ctx, parseOperator(validatorAddress), accumulated)
  for (const { validatorAddress, period, rewards } of g.validatorHistoricalRewards)
    state.historical.set(ctx, [parseOperator(validatorAddress), period], rewards)
  for (const { validatorAddress, rewards } of g.validatorCurrentRewards)
    state.current.set(ctx, parseOperator(validatorAddress), rewards)
  for (const { validatorAddress, delegatorAddress, startingInfo } of g.delegatorStartingInfos)
    state.startingInfos.set(
      ctx,
      [parseOperator(validatorAddress), parseAddress(delegatorAddress)],
      startingInfo,
    )
  for (const { validatorAddress, height, period, validatorSlashEvent } of g.validatorSlashEvents)
    state.slashEvents.set(ctx, [parseOperator(validatorAddress), height, period], validatorSlashEvent)
  requireHoldings(ctx, g)
}

/** The module's account must hold just what the pool and the validators' rewards come to. Throws sdk/18. */
function requireHoldings(ctx: Context, g: GenesisState): void {
  const owed = g.outstandingRewards.map((r) => r.outstandingRewards)
  const [expected] = truncateDecCoins(sumDecCoins([g.feePool.communityPool, ...owed]))
  const held = balancesOf(ctx, moduleAddress(ACCOUNT))
  if (formatCoins(held) !== formatCoins(expected))
    throw sdk.invalidRequest(
      `app_state.distribution: its account holds ${formatCoins(held)}, its records say ${formatCoins(expected)}`,
    )
}

const operatorText = (operator: Address): string => formatAddress(operator, VALIDATOR_PREFIX)

function exportState(ctx: Context): GenesisState {
  const proposer = state.previousProposer.get(ctx)
  return {
    params: params(ctx),
    feePool: { communityPool: communityPool(ctx) },
    delegatorWithdrawInfos: [...state.withdrawAddresses.entries(ctx)].map(([delegator, to]) => ({
      delegatorAddress: formatAddress(delegator),
      withdrawAddress: formatAddress(to),
    })),
    previousProposer: proposer === undefined ? '' : formatAddress(proposer, CONSENSUS_PREFIX),
    outstandingRewards: [...state.outstanding.entries(ctx)].map(([operator, { rewards }]) => ({
      validatorAddress: operatorText(operator),
      outstandingRewards: rewards,
    })),
    validatorAccumulatedCommissions: [...state.commissions.entries(ctx)].map(([operator, accumulated]) => ({
      validatorAddress: operatorText(operator),
      accumulated,
    })),
    validatorHistoricalRewards: [...state.historical.entries(ctx)].map(([[operator, period], rewards]) => ({
      validatorAddress: operatorText(operator),
      period,
      rewards,
    })),
    validatorCurrentRewards: [...state.current.entries(ctx)].map(([operator, rewards]) => ({
      validatorAddress: operatorText(operator),
      rewards,
    })),
    delegatorStartingInfos: [...state.startingInfos.entries(ctx)].map(
      ([[operator, delegator], startingInfo]) => ({
        validatorAddress: operatorText(operator),
        delegatorAddress: formatAddress(delegator),
        startingInfo,
      }),
    ),
    validatorSlashEvents: [...state.slashEvents.entries(ctx)].map(
      ([[operator, height, period], validatorSlashEvent]) => ({
        validatorAddress: operatorText(operator),
        height,
        period,
        validatorSlashEvent,
      }),
    ),
  }
}

export const distributionGenesis = genesis<GenesisState>({
  type: 'cosmos.distribution.v1beta1.GenesisState',
  defaults: () => ({
    params: defaultParams(),
    feePool: { communityPool: [] },
    delegatorWithdrawInfos: [],
    previousProposer: '',
    outstandingRewards: [],
    validatorAccumulatedCommissions: [],
    validatorHistoricalRewards: [],
    validatorCurrentRewards: [],
    delegatorStartingInfos: [],
    validatorSlashEvents: [],
  }),
  validate,
  init,
  export: exportState,
})

import type { Params } from 'cosmjs-types/cosmos/distribution/v1beta1/distribution'
import * as tx from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { decodeAddress, parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { requireAuthority } from '../../core/authority.ts'
import { type Coin, checkCoins } from '../../core/coin.ts'
import { decCoinsOf } from '../../core/dec-coins.ts'
import { sdk } from '../../core/error.ts'
import { messages } from '../../core/module.ts'
import { paramsMessage } from '../../core/params-message.ts'
import { requireMayReceive, transferToModule } from '../bank/api.ts'
import { requireValidator } from '../staking/api.ts'
import { allocateToValidator } from './allocation.ts'
import { ACCOUNT, fundCommunityPool, spendCommunityPool } from './community-pool.ts'
import { checkParams } from './params.ts'
import * as state from './state.ts'
import { setWithdrawAddress, withdrawCommission, withdrawRewards } from './withdrawals.ts'

const parseOperator = (text: string) => parseAddress(text, VALIDATOR_PREFIX)

/** Throws sdk/10 where the list is empty too. */
function requireAmount(coins: readonly Coin[]): void {
  if (coins.length === 0) throw sdk.invalidCoins('amount cannot be nil')
  checkCoins(coins)
}

function checkNewParams(params: Params): void {
  if (BigInt(params.baseProposerReward) !== 0n || BigInt(params.bonusProposerReward) !== 0n)
    throw sdk.invalidRequest(
      'cannot update base or bonus proposer reward because these are deprecated fields',
    )
  checkParams(params)
}

export const distributionMessages = messages<tx.Msg>('cosmos.distribution.v1beta1.Msg', tx, {
  SetWithdrawAddress: {
    summary: 'have rewards and commission paid to another account',
    alias: 'set-withdraw-addr',
    check({ delegatorAddress, withdrawAddress }) {
      parseAddress(delegatorAddress)
      parseAddress(withdrawAddress)
    },
    run(ctx, { delegatorAddress, withdrawAddress }) {
      setWithdrawAddress(ctx, parseAddress(delegatorAddress), parseAddress(withdrawAddress))
      return {}
    },
  },
  WithdrawDelegatorReward: {
    summary: 'take the rewards of a delegation',
    alias: 'withdraw-rewards',
    check({ delegatorAddress, validatorAddress }) {
      parseOperator(validatorAddress)
      parseAddress(delegatorAddress)
    },
    run: (ctx, { delegatorAddress, validatorAddress }) => ({
      amount: withdrawRewards(ctx, parseAddress(delegatorAddress), parseOperator(validatorAddress)),
    }),
  },
  WithdrawValidatorCommission: {
    summary: "take your validator's commission",
    check({ validatorAddress }) {
      parseOperator(validatorAddress)
    },
    run: (ctx, { validatorAddress }) => ({
      amount: withdrawCommission(ctx, parseOperator(validatorAddress)),
    }),
  },
  FundCommunityPool: {
    summary: 'give coins to the community pool',
    check({ depositor, amount }) {
      parseAddress(depositor)
      requireAmount(amount)
    },
    run(ctx, { depositor, amount }) {
      fundCommunityPool(ctx, parseAddress(depositor), amount)
      return {}
    },
  },
  UpdateParams: paramsMessage(state.params, checkNewParams, 'change the parameters (by a proposal)'),
  CommunityPoolSpend: {
    summary: 'pay out of the community pool (by a proposal)',
    run(ctx, { authority, recipient, amount }) {
      requireAuthority(authority)
      requireAmount(amount)
      const to = parseAddress(recipient)
      requireMayReceive(ctx, to)
      spendCommunityPool(ctx, to, amount)
      return {}
    },
  },
  DepositValidatorRewardsPool: {
    summary: "give coins to a validator's delegators",
    check({ depositor, amount }) {
      parseAddress(depositor)
      checkCoins(amount)
    },
    run(ctx, { depositor, validatorAddress, amount }) {
      transferToModule(ctx, parseAddress(depositor), ACCOUNT, amount)
      const v = requireValidator(ctx, decodeAddress(validatorAddress, VALIDATOR_PREFIX))
      allocateToValidator(ctx, v, decCoinsOf(amount))
      return {}
    },
  },
})

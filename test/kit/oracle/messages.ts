import * as bank from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import * as ed25519 from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import * as distribution from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { VoteOption } from 'cosmjs-types/cosmos/gov/v1/gov'
import * as gov from 'cosmjs-types/cosmos/gov/v1/tx'
import * as slashing from 'cosmjs-types/cosmos/slashing/v1beta1/tx'
import * as staking from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import type { Coin } from '../../../core/coin.ts'
import { atomicsFromDecimal } from '../../../core/decimal-text.ts'
import { type Any, packAny, registerTypes, wireType } from '../../../core/wire/registry.ts'
import { account, consensusKey, DENOM, OTHER_DENOM, operatorAddress } from './cast.ts'
import type { Dialect } from './dialect.ts'

registerTypes(bank, ed25519, distribution, gov, slashing, staking)

/** A transaction of one signer, for either chain. */
export interface Operation {
  readonly text: string
  readonly signer: string
  readonly fee?: readonly Coin[]
  /** More than any operation takes, where nothing is said. */
  readonly gas?: bigint
  readonly messages: (dialect: Dialect) => Any[]
}

/** What a validator declares; rates are decimals such as `0.1`. */
export interface ValidatorTerms {
  readonly tokens: bigint
  readonly rate?: string
  readonly maxRate?: string
  readonly maxChangeRate?: string
  readonly minSelfDelegation?: bigint
  /** Name that the consensus key is made of, by default the operator's. */
  readonly key?: string
}

const coin = (amount: bigint, denom = DENOM): Coin => ({
  denom,
  amount: amount.toString(),
})
const coins = (amount: bigint): Coin[] => (amount === 0n ? [] : [coin(amount)])

export const message = (name: string, value: object): Any => packAny(name, wireType(name).fromPartial(value))

function operation(
  signer: string,
  text: string,
  name: string,
  value: (dialect: Dialect) => object,
): Operation {
  return { signer, text: `${signer} ${text}`, messages: (d) => [message(`cosmos.${name}`, value(d))] }
}

export const createValidator = (who: string, terms: ValidatorTerms): Operation =>
  operation(who, `becomes a validator with ${terms.tokens}`, 'staking.v1beta1.MsgCreateValidator', (d) => ({
    description: { moniker: who },
    commission: {
      rate: atomicsFromDecimal(terms.rate ?? '0.1'),
      maxRate: atomicsFromDecimal(terms.maxRate ?? '0.5'),
      maxChangeRate: atomicsFromDecimal(terms.maxChangeRate ?? '0.05'),
    },
    minSelfDelegation: (terms.minSelfDelegation ?? 1n).toString(),
    validatorAddress: operatorAddress(d, who),
    pubkey: packAny('cosmos.crypto.ed25519.PubKey', { key: consensusKey(terms.key ?? who).publicKey }),
    value: coin(terms.tokens),
  }))

/** Changes the commission's rate (a decimal), the minimum self-delegation, or the description. */
export const editValidator = (
  who: string,
  change: { rate?: string; minSelfDelegation?: bigint; moniker?: string },
): Operation =>
  operation(
    who,
    `edits itself: ${JSON.stringify(change, (_, v) => (typeof v === 'bigint' ? `${v}` : v))}`,
    'staking.v1beta1.MsgEditValidator',
    (d) => {
      const keep = '[do-not-modify]'
      return {
        description: {
          moniker: change.moniker ?? keep,
          identity: keep,
          website: keep,
          securityContact: keep,
          details: keep,
        },
        validatorAddress: operatorAddress(d, who),
        commissionRate: change.rate === undefined ? '' : atomicsFromDecimal(change.rate),
        minSelfDelegation: change.minSelfDelegation?.toString() ?? '',
      }
    },
  )

export const delegate = (who: string, validator: string, amount: bigint): Operation =>
  operation(who, `delegates ${amount} to ${validator}`, 'staking.v1beta1.MsgDelegate', (d) => ({
    delegatorAddress: account(d, who),
    validatorAddress: operatorAddress(d, validator),
    amount: coin(amount),
  }))

export const undelegate = (who: string, validator: string, amount: bigint): Operation =>
  operation(who, `undelegates ${amount} from ${validator}`, 'staking.v1beta1.MsgUndelegate', (d) => ({
    delegatorAddress: account(d, who),
    validatorAddress: operatorAddress(d, validator),
    amount: coin(amount),
  }))

export const redelegate = (who: string, from: string, to: string, amount: bigint): Operation =>
  operation(
    who,
    `redelegates ${amount} from ${from} to ${to}`,
    'staking.v1beta1.MsgBeginRedelegate',
    (d) => ({
      delegatorAddress: account(d, who),
      validatorSrcAddress: operatorAddress(d, from),
      validatorDstAddress: operatorAddress(d, to),
      amount: coin(amount),
    }),
  )

/** Takes back what was undelegated at `height`. */
export const cancelUnbonding = (who: string, validator: string, amount: bigint, height: bigint): Operation =>
  operation(
    who,
    `cancels unbonding ${amount} from ${validator} of height ${height}`,
    'staking.v1beta1.MsgCancelUnbondingDelegation',
    (d) => ({
      delegatorAddress: account(d, who),
      validatorAddress: operatorAddress(d, validator),
      amount: coin(amount),
      creationHeight: height,
    }),
  )

export const withdraw = (who: string, validator: string): Operation =>
  operation(
    who,
    `withdraws rewards from ${validator}`,
    'distribution.v1beta1.MsgWithdrawDelegatorReward',
    (d) => ({
      delegatorAddress: account(d, who),
      validatorAddress: operatorAddress(d, validator),
    }),
  )

export const withdrawCommission = (validator: string): Operation =>
  operation(
    validator,
    'withdraws its commission',
    'distribution.v1beta1.MsgWithdrawValidatorCommission',
    (d) => ({
      validatorAddress: operatorAddress(d, validator),
    }),
  )

export const setWithdrawAddress = (who: string, to: string): Operation =>
  operation(who, `sends its rewards to ${to}`, 'distribution.v1beta1.MsgSetWithdrawAddress', (d) => ({
    delegatorAddress: account(d, who),
    withdrawAddress: account(d, to),
  }))

export const fundCommunityPool = (who: string, amount: bigint): Operation =>
  operation(
    who,
    `gives ${amount} to the community pool`,
    'distribution.v1beta1.MsgFundCommunityPool',
    (d) => ({
      amount: coins(amount),
      depositor: account(d, who),
    }),
  )

export const depositRewards = (who: string, validator: string, amount: bigint): Operation =>
  operation(
    who,
    `gives ${amount} to the delegators of ${validator}`,
    'distribution.v1beta1.MsgDepositValidatorRewardsPool',
    (d) => ({
      depositor: account(d, who),
      validatorAddress: operatorAddress(d, validator),
      amount: coins(amount),
    }),
  )

export const unjail = (validator: string): Operation =>
  operation(validator, 'asks to be unjailed', 'slashing.v1beta1.MsgUnjail', (d) => ({
    validatorAddr: operatorAddress(d, validator),
  }))

/** With a fee in the bond denomination and in another. */
export const send = (who: string, to: string, amount: bigint, fee = 0n, otherFee = 0n): Operation => ({
  ...operation(
    who,
    `sends ${amount} to ${to} for a fee of ${fee} and ${otherFee}`,
    'bank.v1beta1.MsgSend',
    (d) => ({
      fromAddress: account(d, who),
      toAddress: account(d, to),
      amount: [coin(amount)],
    }),
  ),
  fee: [coin(otherFee, OTHER_DENOM), coin(fee)].filter((c) => c.amount !== '0'),
})

export interface ProposalTerms {
  readonly title?: string
  readonly metadata?: string
  readonly deposit: bigint
  readonly expedited?: boolean
  readonly messages?: (dialect: Dialect) => Any[]
}

export const submitProposal = (
  who: string,
  { title = 'a text', metadata = 'ipfs://text', deposit, expedited = false, messages }: ProposalTerms,
): Operation =>
  operation(who, `proposes ${title} with ${deposit}`, 'gov.v1.MsgSubmitProposal', (d) => ({
    messages: messages?.(d) ?? [],
    initialDeposit: coins(deposit),
    proposer: account(d, who),
    metadata,
    title,
    summary: `about ${title}`,
    expedited,
  }))

export const deposit = (who: string, proposalId: bigint, amount: bigint): Operation =>
  operation(who, `deposits ${amount} on proposal ${proposalId}`, 'gov.v1.MsgDeposit', (d) => ({
    proposalId,
    depositor: account(d, who),
    amount: coins(amount),
  }))

const options = {
  yes: VoteOption.VOTE_OPTION_YES,
  no: VoteOption.VOTE_OPTION_NO,
  abstain: VoteOption.VOTE_OPTION_ABSTAIN,
  veto: VoteOption.VOTE_OPTION_NO_WITH_VETO,
} as const
export type Option = keyof typeof options

export const vote = (who: string, proposalId: bigint, option: Option): Operation =>
  operation(who, `votes ${option} on proposal ${proposalId}`, 'gov.v1.MsgVote', (d) => ({
    proposalId,
    voter: account(d, who),
    option: options[option],
  }))

/** Weights are decimals that sum to 1. */
export const weightedVote = (
  who: string,
  proposalId: bigint,
  weights: Partial<Record<Option, string>>,
): Operation =>
  operation(
    who,
    `votes ${JSON.stringify(weights)} on proposal ${proposalId}`,
    'gov.v1.MsgVoteWeighted',
    (d) => ({
      proposalId,
      voter: account(d, who),
      options: Object.entries(weights).map(([option, weight]) => ({
        option: options[option as Option],
        weight,
      })),
    }),
  )

export const cancelProposal = (who: string, proposalId: bigint): Operation =>
  operation(who, `cancels proposal ${proposalId}`, 'gov.v1.MsgCancelProposal', (d) => ({
    proposalId,
    proposer: account(d, who),
  }))

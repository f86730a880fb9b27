import { atomicsFromDecimal } from '../../../core/decimal-text.ts'
import type { Any } from '../../../core/wire/registry.ts'
import { account, authority, DENOM } from './cast.ts'
import type { Dialect } from './dialect.ts'
import { message } from './messages.ts'

/** What a proposal does when it passes, for either chain. */
export type Act = (dialect: Dialect) => Any[]

const DAY_SECONDS = 86_400n
const seconds = (n: bigint) => ({ seconds: n, nanos: 0 })
const coins = (amount: bigint, denom = DENOM) => [{ denom, amount: amount.toString() }]
const decimalBytes = (text: string): Uint8Array => Buffer.from(atomicsFromDecimal(text))

const act =
  (name: string, value: (dialect: Dialect) => object): Act =>
  (d) => [message(`cosmos.${name}`, value(d))]

/** All acts in one proposal. */
export const inOrder =
  (...acts: readonly Act[]): Act =>
  (d) =>
    acts.flatMap((a) => a(d))

export const spendCommunityPool = (to: string, amount: bigint): Act =>
  act('distribution.v1beta1.MsgCommunityPoolSpend', (d) => ({
    authority: authority(d),
    recipient: account(d, to),
    amount: coins(amount),
  }))

/** From the account of governance, unless another is named. */
export const pay = (to: string, amount: bigint, from = 'module:gov'): Act =>
  act('bank.v1beta1.MsgSend', (d) => ({
    fromAddress: account(d, from),
    toAddress: account(d, to),
    amount: coins(amount),
  }))

export const setStakingParams = (change: object): Act =>
  act('staking.v1beta1.MsgUpdateParams', (d) => ({
    authority: authority(d),
    params: {
      unbondingTime: seconds(21n * DAY_SECONDS),
      maxValidators: 100,
      maxEntries: 7,
      historicalEntries: 50,
      bondDenom: DENOM,
      minCommissionRate: '0',
      ...change,
    },
  }))

export const setSlashingParams = (change: object): Act =>
  act('slashing.v1beta1.MsgUpdateParams', (d) => ({
    authority: authority(d),
    params: {
      signedBlocksWindow: 20n,
      minSignedPerWindow: decimalBytes('0.5'),
      downtimeJailDuration: seconds(600n),
      slashFractionDoubleSign: decimalBytes('0.05'),
      slashFractionDowntime: decimalBytes('0.01'),
      ...change,
    },
  }))

/** `communityTax` is a decimal. */
export const setDistributionParams = ({ communityTax }: { communityTax: string }): Act =>
  act('distribution.v1beta1.MsgUpdateParams', (d) => ({
    authority: authority(d),
    params: {
      communityTax: atomicsFromDecimal(communityTax),
      baseProposerReward: '0',
      bonusProposerReward: '0',
      withdrawAddrEnabled: true,
    },
  }))

export const setGovParams = (change: object): Act =>
  act('gov.v1.MsgUpdateParams', (d) => ({
    authority: authority(d),
    params: {
      minDeposit: coins(10_000_000n),
      maxDepositPeriod: seconds(2n * DAY_SECONDS),
      votingPeriod: seconds(2n * DAY_SECONDS),
      quorum: '0.334000000000000000',
      threshold: '0.500000000000000000',
      vetoThreshold: '0.334000000000000000',
      minInitialDepositRatio: '0.000000000000000000',
      proposalCancelRatio: '0.500000000000000000',
      proposalCancelDest: '',
      expeditedVotingPeriod: seconds(DAY_SECONDS),
      expeditedThreshold: '0.667000000000000000',
      expeditedMinDeposit: coins(50_000_000n),
      burnVoteQuorum: false,
      burnProposalDepositPrevote: false,
      burnVoteVeto: true,
      minDepositRatio: '0.010000000000000000',
      ...change,
    },
  }))

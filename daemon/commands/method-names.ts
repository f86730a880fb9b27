/** What a command is for in a list of commands, and the name that users of other Cosmos chains know it by. */
interface MethodName {
  readonly summary?: string
  readonly alias?: string
}

/** By the type of the message or the path of the query's method. Others are listed by type or path alone. */
export const methodNames: Readonly<Record<string, MethodName>> = {
  'cosmos.auth.v1beta1.MsgUpdateParams': { summary: 'change the parameters (by a proposal)' },
  'cosmos.bank.v1beta1.MsgSend': { summary: 'send coins' },
  'cosmos.bank.v1beta1.MsgMultiSend': { summary: 'send coins to several at once' },
  'cosmos.bank.v1beta1.MsgUpdateParams': { summary: 'change the parameters (by a proposal)' },
  'cosmos.bank.v1beta1.MsgSetSendEnabled': {
    summary: 'allow or forbid sends of a denomination (by a proposal)',
  },
  'cosmos.consensus.v1.MsgUpdateParams': { summary: 'change the consensus parameters (by a proposal)' },
  'cosmos.distribution.v1beta1.MsgSetWithdrawAddress': {
    summary: 'have rewards and commission paid to another account',
    alias: 'set-withdraw-addr',
  },
  'cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward': {
    summary: 'take the rewards of a delegation',
    alias: 'withdraw-rewards',
  },
  'cosmos.distribution.v1beta1.MsgWithdrawValidatorCommission': {
    summary: "take your validator's commission",
  },
  'cosmos.distribution.v1beta1.MsgFundCommunityPool': { summary: 'give coins to the community pool' },
  'cosmos.distribution.v1beta1.MsgUpdateParams': { summary: 'change the parameters (by a proposal)' },
  'cosmos.distribution.v1beta1.MsgCommunityPoolSpend': {
    summary: 'pay out of the community pool (by a proposal)',
  },
  'cosmos.distribution.v1beta1.MsgDepositValidatorRewardsPool': {
    summary: "give coins to a validator's delegators",
  },
  'cosmos.slashing.v1beta1.MsgUnjail': { summary: 'let your validator stand for the set again' },
  'cosmos.slashing.v1beta1.MsgUpdateParams': { summary: 'change the parameters (by a proposal)' },
  'cosmos.gov.v1.MsgExecLegacyContent': { summary: 'run a proposal of an older kind (by a proposal)' },
  'cosmos.gov.v1.MsgVote': { summary: 'vote on a proposal' },
  'cosmos.gov.v1.MsgVoteWeighted': {
    summary: 'vote on a proposal for several options in parts',
    alias: 'weighted-vote',
  },
  'cosmos.gov.v1.MsgDeposit': { summary: "add to a proposal's deposit" },
  'cosmos.gov.v1.MsgUpdateParams': { summary: 'change the parameters (by a proposal)' },
  'cosmos.gov.v1.MsgCancelProposal': { summary: 'withdraw a proposal of your own' },
  'cosmos.staking.v1beta1.MsgCreateValidator': { summary: 'make a validator of your own' },
  'cosmos.staking.v1beta1.MsgEditValidator': { summary: 'change how your validator presents itself' },
  'cosmos.staking.v1beta1.MsgDelegate': { summary: 'stake coins with a validator' },
  'cosmos.staking.v1beta1.MsgUndelegate': { summary: 'begin to take stake back', alias: 'unbond' },
  'cosmos.staking.v1beta1.MsgBeginRedelegate': {
    summary: 'move stake from one validator to another',
    alias: 'redelegate',
  },
  'cosmos.staking.v1beta1.MsgCancelUnbondingDelegation': {
    summary: 'stake again what was being taken back',
    alias: 'cancel-unbond',
  },
  'cosmos.staking.v1beta1.MsgUpdateParams': { summary: 'change the parameters (by a proposal)' },
  '/cosmos.bank.v1beta1.Query/AllBalances': { alias: 'balances' },
  '/cosmos.distribution.v1beta1.Query/DelegationTotalRewards': { alias: 'rewards' },
  '/cosmos.distribution.v1beta1.Query/DelegationRewards': { alias: 'rewards-by-validator' },
  '/cosmos.distribution.v1beta1.Query/ValidatorCommission': { alias: 'commission' },
  '/cosmos.distribution.v1beta1.Query/ValidatorSlashes': { alias: 'slashes' },
  '/cosmos.gov.v1.Query/TallyResult': { alias: 'tally' },
  '/cosmos.staking.v1beta1.Query/DelegatorDelegations': { alias: 'delegations' },
  '/cosmos.staking.v1beta1.Query/ValidatorDelegations': { alias: 'delegations-to' },
}

/** Nothing for a method that goes by its own name alone. */
export const methodName = (typeOrPath: string): MethodName => methodNames[typeOrPath] ?? {}

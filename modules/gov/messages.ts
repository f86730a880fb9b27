import * as tx from 'cosmjs-types/cosmos/gov/v1/tx'
import { parseAddress } from '../../core/address.ts'
import { requireAuthority } from '../../core/authority.ts'
import { type Coin, checkCoins } from '../../core/coin.ts'
import { sdk } from '../../core/error.ts'
import { type MessageHandler, messages } from '../../core/module.ts'
import { paramsMessage } from '../../core/params-message.ts'
import { timestampOf } from '../../core/time.ts'
import { addDeposit } from './deposits.ts'
import { legacyContent } from './legacy-content.ts'
import { checkParams } from './params.ts'
import { checkContentKind, checkProposedMessages } from './proposed-messages.ts'
import * as state from './state.ts'
import { cancelProposal, requireForm, submitProposal } from './submission.ts'
import { addVote, requireWeights, wholeVote } from './votes.ts'

interface DepositMessage {
  readonly proposalId: bigint
  readonly depositor: string
  readonly amount: readonly Coin[]
}

/** `MsgDeposit` of either version. Throws sdk/10 where there are no coins or bad ones. */
export const depositHandler: MessageHandler<DepositMessage, object> = {
  summary: "add to a proposal's deposit",
  check({ amount }) {
    checkCoins(amount)
    if (amount.length === 0) throw sdk.invalidCoins('no coins')
  },
  run(ctx, { proposalId, depositor, amount }) {
    const begins = addDeposit(ctx, proposalId, parseAddress(depositor), amount)
    if (begins) ctx.emit('proposal_deposit', { voting_period_start: proposalId.toString() })
    return {}
  },
}

export const govMessages = messages<tx.Msg>('cosmos.gov.v1.Msg', tx, {
  SubmitProposal: {
    checkEncoding: checkProposedMessages,
    check: requireForm,
    run: (ctx, message) => ({ proposalId: submitProposal(ctx, message) }),
  },
  ExecLegacyContent: {
    summary: 'run a proposal of an older kind (by a proposal)',
    checkEncoding: checkContentKind,
    run(_, { authority, content }) {
      requireAuthority(authority)
      // The content is a text: there is nothing to do but to have voted on it.
      legacyContent(content)
      return {}
    },
  },
  Vote: {
    summary: 'vote on a proposal',
    check({ option }) {
      wholeVote(option)
    },
    run(ctx, { proposalId, voter, option, metadata }) {
      addVote(ctx, proposalId, parseAddress(voter), wholeVote(option), metadata)
      return {}
    },
  },
  VoteWeighted: {
    summary: 'vote on a proposal for several options in parts',
    alias: 'weighted-vote',
    check({ options }) {
      requireWeights(options)
    },
    run(ctx, { proposalId, voter, options, metadata }) {
      addVote(ctx, proposalId, parseAddress(voter), options, metadata)
      return {}
    },
  },
  Deposit: depositHandler,
  UpdateParams: paramsMessage(state.params, checkParams, 'change the parameters (by a proposal)'),
  CancelProposal: {
    summary: 'withdraw a proposal of your own',
    run(ctx, { proposalId, proposer }) {
      cancelProposal(ctx, proposalId, proposer)
      return { proposalId, canceledTime: timestampOf(ctx.timeNs), canceledHeight: ctx.height }
    },
  },
})

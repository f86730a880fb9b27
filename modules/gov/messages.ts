import * as tx from 'cosmjs-types/cosmos/gov/v1/tx'
import { parseAddress } from '../../core/address.ts'
import { requireAuthority } from '../../core/authority.ts'
import { type Coin, checkCoins } from '../../core/coin.ts'
import type { Context } from '../../core/context.ts'
import { sdk } from '../../core/error.ts'
import { messages } from '../../core/module.ts'
import { timestampOf } from '../../core/time.ts'
import { addDeposit } from './deposits.ts'
import { legacyContent } from './legacy-content.ts'
import { checkParams } from './params.ts'
import { checkProposedMessages } from './proposed-messages.ts'
import * as state from './state.ts'
import { cancelProposal, submitProposal } from './submission.ts'
import { addVote, requireWeights, wholeVote } from './votes.ts'

export function deposit(ctx: Context, m: { proposalId: bigint; depositor: string; amount: Coin[] }): void {
  checkCoins(m.amount)
  if (m.amount.length === 0) throw sdk.invalidCoins('no coins')
  const begins = addDeposit(ctx, m.proposalId, parseAddress(m.depositor), m.amount)
  if (begins) ctx.emit('proposal_deposit', { voting_period_start: m.proposalId.toString() })
}

export const govMessages = messages<tx.Msg>('cosmos.gov.v1.Msg', tx, {
  SubmitProposal: {
    check: checkProposedMessages,
    run: (ctx, message) => ({ proposalId: submitProposal(ctx, message) }),
  },
  ExecLegacyContent: {
    check({ content }) {
      legacyContent(content)
    },
    run(_, { authority }) {
      // The content is a text: there is nothing to do but to have voted on it.
      requireAuthority(authority)
      return {}
    },
  },
  Vote: {
    run(ctx, { proposalId, voter, option, metadata }) {
      addVote(ctx, proposalId, parseAddress(voter), wholeVote(option), metadata)
      return {}
    },
  },
  VoteWeighted: {
    run(ctx, { proposalId, voter, options, metadata }) {
      requireWeights(options)
      addVote(ctx, proposalId, parseAddress(voter), options, metadata)
      return {}
    },
  },
  Deposit: {
    run(ctx, message) {
      deposit(ctx, message)
      return {}
    },
  },
  UpdateParams: {
    run(ctx, { authority, params }) {
      requireAuthority(authority)
      checkParams(params)
      state.params.set(ctx, params)
      return {}
    },
  },
  CancelProposal: {
    run(ctx, { proposalId, proposer }) {
      cancelProposal(ctx, proposalId, proposer)
      return { proposalId, canceledTime: timestampOf(ctx.timeNs), canceledHeight: ctx.height }
    },
  },
})

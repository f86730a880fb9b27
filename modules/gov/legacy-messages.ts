import { MsgExecLegacyContent } from 'cosmjs-types/cosmos/gov/v1/tx'
import * as tx from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import { parseAddress } from '../../core/address.ts'
import { AUTHORITY } from '../../core/authority.ts'
import { decimalFromAtomics } from '../../core/decimal-text.ts'
import { messages } from '../../core/module.ts'
import { checkLegacyContent, legacyContent } from './legacy-content.ts'
import { deposit } from './messages.ts'
import { submitProposal } from './submission.ts'
import { addVote, requireWeights, wholeVote } from './votes.ts'

/** What wallets still send: the same by older names. */
export const legacyMessages = messages<tx.Msg>('cosmos.gov.v1beta1.Msg', tx, {
  SubmitProposal: {
    check({ content }) {
      if (content !== undefined) legacyContent(content)
    },
    run(ctx, { content, initialDeposit, proposer }) {
      const text = legacyContent(content)
      checkLegacyContent(text)
      const value = MsgExecLegacyContent.encode({ content: content!, authority: AUTHORITY }).finish()
      const proposalId = submitProposal(ctx, {
        messages: [{ typeUrl: MsgExecLegacyContent.typeUrl, value }],
        initialDeposit,
        proposer,
        metadata: '',
        title: text.title,
        summary: text.description,
        expedited: false,
      })
      return { proposalId }
    },
  },
  Vote: {
    run(ctx, { proposalId, voter, option }) {
      addVote(ctx, proposalId, parseAddress(voter), wholeVote(option), '')
      return {}
    },
  },
  VoteWeighted: {
    run(ctx, { proposalId, voter, options }) {
      const weighted = options.map(({ option, weight }) => ({ option, weight: decimalFromAtomics(weight) }))
      requireWeights(weighted)
      addVote(ctx, proposalId, parseAddress(voter), weighted, '')
      return {}
    },
  },
  Deposit: {
    run(ctx, message) {
      deposit(ctx, message)
      return {}
    },
  },
})

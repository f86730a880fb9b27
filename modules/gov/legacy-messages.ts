import type { WeightedVoteOption } from 'cosmjs-types/cosmos/gov/v1/gov'
import { MsgExecLegacyContent } from 'cosmjs-types/cosmos/gov/v1/tx'
import * as tx from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import { parseAddress } from '../../core/address.ts'
import { AUTHORITY } from '../../core/authority.ts'
import { decimalFromAtomics } from '../../core/decimal-text.ts'
import { messages } from '../../core/module.ts'
import { checkLegacyContent, legacyContent } from './legacy-content.ts'
import { depositHandler } from './messages.ts'
import { checkContentKind } from './proposed-messages.ts'
import { submitProposal } from './submission.ts'
import { addVote, requireWeights, wholeVote } from './votes.ts'

/** Weights are atomics in v1beta1 and decimals in v1. */
const withDecimals = (options: readonly WeightedVoteOption[]): WeightedVoteOption[] =>
  options.map(({ option, weight }) => ({ option, weight: decimalFromAtomics(weight) }))

/** Messages that wallets still send: those of v1 by older names. */
export const legacyMessages = messages<tx.Msg>('cosmos.gov.v1beta1.Msg', tx, {
  SubmitProposal: {
    checkEncoding: checkContentKind,
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
    check({ option }) {
      wholeVote(option)
    },
    run(ctx, { proposalId, voter, option }) {
      addVote(ctx, proposalId, parseAddress(voter), wholeVote(option), '')
      return {}
    },
  },
  VoteWeighted: {
    check({ options }) {
      requireWeights(withDecimals(options))
    },
    run(ctx, { proposalId, voter, options }) {
      addVote(ctx, proposalId, parseAddress(voter), withDecimals(options), '')
      return {}
    },
  },
  Deposit: depositHandler,
})

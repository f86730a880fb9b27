import { errors } from '../../core/error.ts'

export const govError = errors('gov', {
  inactiveProposal: [3, 'inactive proposal'],
  invalidProposalContent: [5, 'invalid proposal content'],
  invalidVote: [7, 'invalid vote option'],
  unroutableProposalMessage: [10, 'proposal message not recognized by router'],
  noProposalMessages: [11, 'no messages proposed'],
  invalidProposalMessage: [12, 'invalid proposal message'],
  invalidSigner: [13, 'expected gov account as only signer for proposal message'],
  metadataTooLong: [15, 'metadata too long'],
  minDepositTooSmall: [16, 'minimum deposit is too small'],
  invalidProposer: [18, 'invalid proposer'],
  votingPeriodEnded: [20, 'voting period already ended'],
  invalidProposal: [21, 'invalid proposal'],
  summaryTooLong: [22, 'summary too long'],
  invalidDepositDenom: [23, 'invalid deposit denom'],
})

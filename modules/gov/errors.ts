import { errors } from '../../core/error.ts'

export const govError = errors('gov', {
  inactiveProposal: [3, 'inactive proposal', 'FAILED_PRECONDITION'],
  invalidProposalContent: [5, 'invalid proposal content', 'INVALID_ARGUMENT'],
  invalidVote: [7, 'invalid vote option', 'INVALID_ARGUMENT'],
  unroutableProposalMessage: [10, 'proposal message not recognized by router', 'FAILED_PRECONDITION'],
  noProposalMessages: [11, 'no messages proposed', 'INVALID_ARGUMENT'],
  invalidProposalMessage: [12, 'invalid proposal message', 'INVALID_ARGUMENT'],
  invalidSigner: [13, 'expected gov account as only signer for proposal message', 'INVALID_ARGUMENT'],
  metadataTooLong: [15, 'metadata too long', 'INVALID_ARGUMENT'],
  minDepositTooSmall: [16, 'minimum deposit is too small', 'FAILED_PRECONDITION'],
  invalidProposer: [18, 'invalid proposer', 'INVALID_ARGUMENT'],
  votingPeriodEnded: [20, 'voting period already ended', 'FAILED_PRECONDITION'],
  invalidProposal: [21, 'invalid proposal', 'INVALID_ARGUMENT'],
  summaryTooLong: [22, 'summary too long', 'INVALID_ARGUMENT'],
  invalidDepositDenom: [23, 'invalid deposit denom', 'INVALID_ARGUMENT'],
})

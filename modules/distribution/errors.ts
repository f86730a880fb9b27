import { errors } from '../../core/error.ts'

export const distributionError = errors('distribution', {
  emptyDelegatorAddress: [2, 'delegator address is empty', 'INVALID_ARGUMENT'],
  emptyWithdrawAddress: [3, 'withdraw address is empty', 'INVALID_ARGUMENT'],
  emptyValidatorAddress: [4, 'validator address is empty', 'INVALID_ARGUMENT'],
  noDelegationInfo: [5, 'no delegation distribution info', 'NOT_FOUND'],
  noValidatorInfo: [6, 'no validator distribution info', 'NOT_FOUND'],
  noCommission: [7, 'no validator commission to withdraw', 'NOT_FOUND'],
  withdrawAddressDisabled: [8, 'set withdraw address disabled', 'FAILED_PRECONDITION'],
  badDistribution: [9, 'community pool does not have sufficient coins to distribute', 'FAILED_PRECONDITION'],
  invalidProposalAmount: [10, 'invalid community pool spend proposal amount', 'INVALID_ARGUMENT'],
  emptyProposalRecipient: [11, 'invalid community pool spend proposal recipient', 'INVALID_ARGUMENT'],
  noValidator: [12, 'validator does not exist', 'NOT_FOUND'],
  noDelegation: [13, 'delegation does not exist', 'NOT_FOUND'],
})

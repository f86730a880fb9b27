import { errors } from '../../core/error.ts'

export const classifierError = errors('classifier', {
  noAgentKey: [2, 'the validator has no agent key', 'NOT_FOUND'],
  badSignature: [3, 'the signature is not of the agent key', 'PERMISSION_DENIED'],
  badMetrics: [4, 'invalid metrics', 'INVALID_ARGUMENT'],
  staleSubmission: [5, 'the submission is too old, too new or not the latest', 'FAILED_PRECONDITION'],
  tooManyAgentTxs: [6, 'too many agent transactions of this validator in one block', 'RESOURCE_EXHAUSTED'],
  badModel: [7, 'invalid model', 'INVALID_ARGUMENT'],
  notOnRoster: [8, 'the validator is not on the roster', 'FAILED_PRECONDITION'],
  agentKeyTaken: [9, 'the agent key is another validator’s', 'ALREADY_EXISTS'],
  notInSet: [10, 'the validator is not in the set', 'FAILED_PRECONDITION'],
})

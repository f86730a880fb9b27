import { errors } from '../../core/error.ts'

export const classifierError = errors('classifier', {
  noAgentKey: [2, 'the validator has no agent key'],
  badSignature: [3, 'the signature is not of the agent key'],
  badMetrics: [4, 'invalid metrics'],
  staleSubmission: [5, 'the submission is too old, too new or not the latest'],
  tooManyAgentTxs: [6, 'too many agent transactions of this validator in one block'],
  badModel: [7, 'invalid model'],
  notOnRoster: [8, 'the validator is not on the roster'],
  agentKeyTaken: [9, 'the agent key is another validator’s'],
  neverInSet: [10, 'the validator has never been in the set'],
})

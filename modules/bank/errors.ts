import { errors } from '../../core/error.ts'

export const bankError = errors('bank', {
  noInputs: [2, 'no inputs to send transaction'],
  noOutputs: [3, 'no outputs to send transaction'],
  inputOutputMismatch: [4, 'sum inputs != sum outputs'],
  sendDisabled: [5, 'send transactions are disabled'],
  metadataNotFound: [6, 'client denom metadata not found'],
  invalidKey: [7, 'invalid key'],
  duplicateEntry: [8, 'duplicate entry'],
  multipleSenders: [9, 'multiple senders not allowed'],
})

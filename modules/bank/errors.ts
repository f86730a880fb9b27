import { errors } from '../../core/error.ts'

export const bankError = errors('bank', {
  noInputs: [2, 'no inputs to send transaction', 'INVALID_ARGUMENT'],
  noOutputs: [3, 'no outputs to send transaction', 'INVALID_ARGUMENT'],
  inputOutputMismatch: [4, 'sum inputs != sum outputs', 'INVALID_ARGUMENT'],
  sendDisabled: [5, 'send transactions are disabled', 'FAILED_PRECONDITION'],
  metadataNotFound: [6, 'client denom metadata not found', 'NOT_FOUND'],
  invalidKey: [7, 'invalid key', 'INVALID_ARGUMENT'],
  duplicateEntry: [8, 'duplicate entry', 'INVALID_ARGUMENT'],
  multipleSenders: [9, 'multiple senders not allowed', 'INVALID_ARGUMENT'],
})

import { errors } from '../../core/error.ts'

export const evidenceError = errors('evidence', {
  invalidEvidence: [3, 'invalid evidence', 'INVALID_ARGUMENT'],
  evidenceExists: [5, 'evidence already exists', 'ALREADY_EXISTS'],
})

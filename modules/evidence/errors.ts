import { errors } from '../../core/error.ts'

export const evidenceError = errors('evidence', {
  invalidEvidence: [3, 'invalid evidence'],
  evidenceExists: [5, 'evidence already exists'],
})

import { errors } from '../../core/error.ts'

export const agentsError = errors('agents', {
  notBanned: [2, 'the validator is not banned', 'FAILED_PRECONDITION'],
  badMark: [3, 'the mark is not of this ban', 'INVALID_ARGUMENT'],
  badSignature: [4, 'the signature is not of the issuer’s agent key', 'PERMISSION_DENIED'],
  markExists: [5, 'the issuer has marked this ban', 'ALREADY_EXISTS'],
  notInSet: [6, 'the issuer is not on the roster', 'FAILED_PRECONDITION'],
  banned: [7, 'the operator is banned, until governance lifts it', 'PERMISSION_DENIED'],
})

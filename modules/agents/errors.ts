import { errors } from '../../core/error.ts'

export const agentsError = errors('agents', {
  notBanned: [2, 'the validator is not banned'],
  badMark: [3, 'the mark is not of this ban'],
  badSignature: [4, 'the signature is not of the issuer’s agent key'],
  markExists: [5, 'the issuer has marked this ban'],
  notInSet: [6, 'the issuer is not on the roster'],
  banned: [7, 'the operator is banned, until governance lifts it'],
})

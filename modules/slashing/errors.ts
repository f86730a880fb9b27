import { errors } from '../../core/error.ts'

export const slashingError = errors('slashing', {
  noValidatorForAddress: [2, 'address is not associated with any known validator', 'NOT_FOUND'],
  badValidatorAddress: [3, 'validator does not exist for that address', 'NOT_FOUND'],
  validatorJailed: [4, 'validator still jailed; cannot be unjailed', 'FAILED_PRECONDITION'],
  validatorNotJailed: [5, 'validator not jailed; cannot be unjailed', 'FAILED_PRECONDITION'],
  missingSelfDelegation: [6, 'validator has no self-delegation; cannot be unjailed', 'FAILED_PRECONDITION'],
  selfDelegationTooLow: [
    7,
    "validator's self delegation less than minimum; cannot be unjailed",
    'FAILED_PRECONDITION',
  ],
  noSigningInfo: [8, 'no validator signing info found', 'NOT_FOUND'],
  validatorTombstoned: [9, 'validator already tombstoned', 'FAILED_PRECONDITION'],
})

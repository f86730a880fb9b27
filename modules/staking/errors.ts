import { errors } from '../../core/error.ts'

export const stakingError = errors('staking', {
  noValidatorFound: [3, 'validator does not exist'],
  validatorOwnerExists: [
    4,
    'validator already exist for this operator address; must use new validator operator address',
  ],
  validatorPubKeyExists: [5, 'validator already exist for this pubkey; must use new validator pubkey'],
  pubKeyTypeNotSupported: [6, 'validator pubkey type is not supported'],
  minSelfDelegation: [16, 'minimum self delegation must be a positive integer'],
  selfDelegationBelowMinimum: [
    18,
    "validator's self delegation must be greater than their minimum self delegation",
  ],
})

import { FRX } from './document.ts'

/** Accounts of every local network. Their mnemonics are public: never put anything of value there. */
export const developmentAccounts = [
  {
    name: 'alice',
    keyType: 'ethsecp256k1',
    mnemonic: 'oppose since analyst shoot proud cruel tail impact bind clay twelve connect',
  },
  {
    name: 'bob',
    keyType: 'ethsecp256k1',
    mnemonic: 'birth exchange critic cushion subject top jaguar romance differ voyage pear present',
  },
  {
    name: 'carol',
    keyType: 'ethsecp256k1',
    mnemonic: 'eight pretty arm flip virtual jaguar alcohol egg shield carpet mammal entry',
  },
  {
    name: 'dave',
    keyType: 'ethsecp256k1',
    mnemonic: 'shift model girl garment destroy manual pet lens decide kind practice purchase',
  },
  // Keys of coin type 118, for clients that know no other.
  {
    name: 'erin',
    keyType: 'secp256k1',
    mnemonic: 'tip oven scatter safe picnic poverty leopard reason prevent number gas excite',
  },
  {
    name: 'frank',
    keyType: 'secp256k1',
    mnemonic: 'bless tribe escape rack control news lava awake tilt glance until holiday',
  },
] as const

/** Over the modules' defaults in local networks: what a vote decides is seen within minutes. */
export const developmentState = {
  gov: {
    params: { voting_period: '60s', expedited_voting_period: '30s', max_deposit_period: '120s' },
  },
}

/** afrx of each development account. */
export const developmentFunds = 1_000_000_000n * FRX

/** afrx of each local validator's account, and what it stakes of that. */
export const validatorFunds = 1_000n * FRX
export const validatorStake = 100n * FRX

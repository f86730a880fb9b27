import { FRX } from './document.ts'

/** Accounts of every local network. Their mnemonics are public: never put anything of value there. */
export const developmentAccounts = [
  { name: 'alice', mnemonic: 'oppose since analyst shoot proud cruel tail impact bind clay twelve connect' },
  {
    name: 'bob',
    mnemonic: 'birth exchange critic cushion subject top jaguar romance differ voyage pear present',
  },
  { name: 'carol', mnemonic: 'eight pretty arm flip virtual jaguar alcohol egg shield carpet mammal entry' },
  {
    name: 'dave',
    mnemonic: 'shift model girl garment destroy manual pet lens decide kind practice purchase',
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

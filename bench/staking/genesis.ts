import type { RequestInitChain } from 'cosmjs-types/tendermint/abci/types'
import { fromUtf8, toBase64, utf8 } from '../../core/bytes.ts'
import type { Json } from '../../core/wire/json.ts'
import { account, consensusKey, DENOM, operatorAddress, POWER } from '../../test/kit/oracle/cast.ts'
import type { Dialect } from '../../test/kit/oracle/dialect.ts'
import { initRequest } from '../../test/kit/oracle/genesis.ts'
import type { Subject } from '../../test/kit/oracle/subject.ts'

export const validatorName = (i: number): string => `validator ${i}`
export const delegatorName = (i: number): string => `delegator ${i}`

const FUNDS = 1_000_000n * POWER
/** Units of power that the i-th delegator has staked: powers of validators differ. */
const stakeOf = (i: number, validators: number): bigint => (1n + BigInt((i % validators) % 7)) * POWER

/** Validators that are bonded with the genesis, and delegators, each with a delegation to one of them. */
export function genesisOf(subject: Subject, validators: number, delegations: number): RequestInitChain {
  const tokens = Array.from({ length: validators }, () => 0n)
  const names = Array.from({ length: delegations }, (_, i) => delegatorName(i))
  const delegated = names.map((name, i): Json => {
    const stake = stakeOf(i, validators)
    tokens[i % validators]! += stake
    return {
      delegator_address: account(subject.dialect, name),
      validator_address: operatorAddress(subject.dialect, validatorName(i % validators)),
      shares: `${stake}.000000000000000000`,
    }
  })
  const request = initRequest(subject, {
    validators: {},
    accounts: Object.fromEntries(names.map((name) => [name, FUNDS])),
    sections: {
      staking: {
        params: { max_validators: validators, historical_entries: 10_000 },
        validators: tokens.map((amount, i) => validator(subject.dialect, validatorName(i), amount)),
        delegations: delegated,
      },
      slashing: { params: { signed_blocks_window: '100' } },
    },
  })
  const state = JSON.parse(fromUtf8(request.appStateBytes)) as { bank: { balances: Json[] } }
  state.bank.balances.push({
    address: account(subject.dialect, 'module:not_bonded_tokens_pool'),
    coins: [{ denom: DENOM, amount: tokens.reduce((sum, t) => sum + t, 0n).toString() }],
  })
  return { ...request, appStateBytes: utf8(JSON.stringify(state)) }
}

const validator = (dialect: Dialect, name: string, tokens: bigint): Json => ({
  operator_address: operatorAddress(dialect, name),
  consensus_pubkey: {
    '@type': '/cosmos.crypto.ed25519.PubKey',
    key: toBase64(consensusKey(name).publicKey),
  },
  jailed: false,
  status: 'BOND_STATUS_UNBONDED',
  tokens: tokens.toString(),
  delegator_shares: `${tokens}.000000000000000000`,
  description: { moniker: name, identity: '', website: '', security_contact: '', details: '' },
  unbonding_height: '0',
  unbonding_time: '1970-01-01T00:00:00Z',
  commission: {
    commission_rates: {
      rate: '0.100000000000000000',
      max_rate: '0.500000000000000000',
      max_change_rate: '0.050000000000000000',
    },
    update_time: '1970-01-01T00:00:00Z',
  },
  min_self_delegation: '1',
  unbonding_on_hold_ref_count: '0',
  unbonding_ids: [],
})

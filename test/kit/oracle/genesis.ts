import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { RequestInitChain } from 'cosmjs-types/tendermint/abci/types'
import { utf8 } from '../../../core/bytes.ts'
import { timestampOf } from '../../../core/time.ts'
import { signTx } from '../../../core/tx/build.ts'
import { type Json, toJson } from '../../../core/wire/json.ts'
import { CHAIN_ID, user } from '../app/chain.ts'
import { account, DENOM, OTHER_DENOM, POWER } from './cast.ts'
import { inCosmosDialect } from './dialect.ts'
import { createValidator, type ValidatorTerms } from './messages.ts'
import type { Subject } from './subject.ts'

export const GENESIS_NS = 1_800_000_000_123_456_789n

type Section = { [key: string]: Json }

/** What both chains begin with. */
export interface ChainDescription {
  /** By name of the operator, who is an account too. */
  readonly validators: Readonly<Record<string, ValidatorTerms>>
  /** Balances by name; validators have a million units of power beside. */
  readonly accounts: Readonly<Record<string, bigint>>
  /** Names in `accounts` that may become validators. */
  readonly candidates?: readonly string[]
  /** Of the first block; default 1. */
  readonly initialHeight?: bigint
  /** Sections of `app_state`, laid over both chains' own. */
  readonly sections?: { readonly [module: string]: Section }
}

const commonSections: { readonly [module: string]: Section } = {
  // Of ours alone: no base fee, and no accounts of contracts.
  evm: { params: { no_base_fee: true }, contracts: [] },
  staking: {
    params: {
      unbonding_time: '1814400s',
      max_validators: 100,
      max_entries: 7,
      historical_entries: 50,
      bond_denom: DENOM,
      min_commission_rate: '0.000000000000000000',
    },
  },
  slashing: {
    params: {
      signed_blocks_window: '20',
      min_signed_per_window: '0.500000000000000000',
      downtime_jail_duration: '600s',
      slash_fraction_double_sign: '0.050000000000000000',
      slash_fraction_downtime: '0.010000000000000000',
    },
  },
  distribution: {
    params: {
      community_tax: '0.020000000000000000',
      base_proposer_reward: '0.000000000000000000',
      bonus_proposer_reward: '0.000000000000000000',
      withdraw_addr_enabled: true,
    },
  },
  gov: {
    params: {
      min_deposit: [{ denom: DENOM, amount: '10000000' }],
      max_deposit_period: '172800s',
      voting_period: '172800s',
      quorum: '0.334000000000000000',
      threshold: '0.500000000000000000',
      veto_threshold: '0.334000000000000000',
      min_initial_deposit_ratio: '0.000000000000000000',
      proposal_cancel_ratio: '0.500000000000000000',
      proposal_cancel_dest: '',
      expedited_voting_period: '86400s',
      expedited_threshold: '0.667000000000000000',
      expedited_min_deposit: [{ denom: DENOM, amount: '50000000' }],
      burn_vote_quorum: false,
      burn_proposal_deposit_prevote: false,
      burn_vote_veto: true,
      min_deposit_ratio: '0.010000000000000000',
    },
  },
  // simd mints; without inflation its blocks pay fees alone, as ours do.
  mint: {
    minter: { inflation: '0.000000000000000000', annual_provisions: '0.000000000000000000' },
    params: {
      mint_denom: DENOM,
      inflation_rate_change: '0.000000000000000000',
      inflation_max: '0.000000000000000000',
      inflation_min: '0.000000000000000000',
      goal_bonded: '0.670000000000000000',
      blocks_per_year: '6311520',
    },
  },
}

const isSection = (value: Json | undefined): value is Section =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function laidOver(below: Section, above: Section): Section {
  const merged = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const base = merged[key]
    merged[key] = isSection(base) && isSection(value) ? laidOver(base, value) : value
  }
  return merged
}

function genesisTx({ dialect }: Subject, name: string, terms: ValidatorTerms): Json {
  const { messages } = createValidator(name, terms)
  const bytes = signTx({ messages: messages(dialect), fee: { amount: [], gasLimit: 200_000n } }, CHAIN_ID, [
    { privateKey: user(name).privateKey, accountNumber: 0n, sequence: 0n },
  ])
  const raw = TxRaw.decode(bytes)
  const tx = toJson('cosmos.tx.v1beta1.Tx', {
    body: TxBody.decode(raw.bodyBytes),
    authInfo: AuthInfo.decode(raw.authInfoBytes),
    signatures: raw.signatures,
  })
  // Fields that SDK 0.50 does not know.
  const { unordered: _u, timeout_timestamp: _t, ...body } = tx['body'] as Section
  return { ...tx, body }
}

/** The genesis file's `app_state`, in the subject's dialect. */
function appState(subject: Subject, { validators, accounts, sections = {} }: ChainDescription): Section {
  const operators = Object.keys(validators).map((name) => [name, 1_000_000n * POWER] as const)
  const funds = [...operators, ...Object.entries(accounts)].map(
    ([name, amount]) => [account(subject.dialect, name), amount.toString()] as const,
  )
  const state = subject.emptyState()
  if (isSection(state['staking']) && 'power_reduction' in state['staking'])
    state['staking']['power_reduction'] = POWER.toString()
  for (const layer of [commonSections, sections])
    for (const [module, section] of Object.entries(layer)) {
      const base = state[module]
      if (isSection(base)) state[module] = laidOver(base, section)
    }
  return laidOver(state, {
    auth: {
      accounts: funds.map(([address], i) => ({
        '@type': '/cosmos.auth.v1beta1.BaseAccount',
        address,
        pub_key: null,
        account_number: String(i),
        sequence: '0',
      })),
    },
    bank: {
      balances: funds.map(([address, amount]) => ({
        address,
        coins: [
          { denom: OTHER_DENOM, amount: '1000000000' },
          { denom: DENOM, amount },
        ],
      })),
    },
    genutil: { gen_txs: Object.entries(validators).map(([name, terms]) => genesisTx(subject, name, terms)) },
  })
}

/** The state that a pair of chains begins with where it is not made of a description. */
export interface Origin {
  /** Sections of our `app_state`; those of simd's own modules are as in any new chain. */
  readonly state: Section
  /** The height before the first block. */
  readonly height: bigint
  readonly timeNs: bigint
  readonly proposals: readonly bigint[]
}

/** Our `app_state` in the subject's dialect, beside what its own modules begin with. */
export function importedState(subject: Subject, state: Section): Section {
  if (subject.dialect === 'fornax') return state
  const { staking, ...others } = JSON.parse(JSON.stringify(state), (_, value: unknown) =>
    typeof value === 'string' ? inCosmosDialect(value) : value,
  ) as Section & { staking: Section }
  const { power_reduction: _, ...known } = staking
  return { ...laidOver(subject.emptyState(), { mint: commonSections['mint']! }), ...others, staking: known }
}

export const MAX_BLOCK_GAS = 1_000_000_000n

const requestOf = (state: Section, timeNs: bigint, initialHeight: bigint): RequestInitChain =>
  RequestInitChain.fromPartial({
    time: timestampOf(timeNs),
    chainId: CHAIN_ID,
    initialHeight,
    appStateBytes: utf8(JSON.stringify(state)),
    consensusParams: {
      block: { maxBytes: 4_194_304n, maxGas: MAX_BLOCK_GAS },
      evidence: {
        maxAgeNumBlocks: 100_000n,
        maxAgeDuration: { seconds: 1_814_400n, nanos: 0 },
        maxBytes: 1_048_576n,
      },
      validator: { pubKeyTypes: ['ed25519'] },
      version: {},
      abci: { voteExtensionsEnableHeight: 0n },
    },
  })

export const initRequest = (subject: Subject, description: ChainDescription): RequestInitChain =>
  requestOf(appState(subject, description), GENESIS_NS, description.initialHeight ?? 1n)

export const importRequest = (subject: Subject, origin: Origin): RequestInitChain =>
  requestOf(importedState(subject, origin.state), origin.timeNs, origin.height + 1n)

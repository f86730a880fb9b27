import * as auth from 'cosmjs-types/cosmos/auth/v1beta1/query'
import * as bank from 'cosmjs-types/cosmos/bank/v1beta1/query'
import * as distribution from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import * as gov from 'cosmjs-types/cosmos/gov/v1/query'
import * as slashing from 'cosmjs-types/cosmos/slashing/v1beta1/query'
import * as staking from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { RequestQuery } from 'cosmjs-types/tendermint/abci/types'
import { serviceDescriptor } from '../../../core/wire/descriptors.ts'
import type { Json } from '../../../core/wire/json.ts'
import { registerTypes, wireType } from '../../../core/wire/registry.ts'
import { account, consensusKey, operatorAddress } from './cast.ts'
import { addressText, type Dialect } from './dialect.ts'
import { plain } from './plain.ts'
import type { Subject } from './subject.ts'

registerTypes(auth, bank, distribution, gov, slashing, staking)

/** A query that both chains must answer alike. */
export interface Question {
  /** Service and method: `staking.v1beta1.Query/Pool`, and of whom. */
  readonly method: string
  readonly about: string
  readonly request: (dialect: Dialect) => object
}

const question = (method: string, about = '', request: Question['request'] = () => ({})): Question => ({
  method,
  about,
  request,
})

const all = { pagination: { limit: 5_000n } }
const moduleAccounts = [
  'bonded_tokens_pool',
  'not_bonded_tokens_pool',
  'distribution',
  'gov',
  'fee_collector',
]

/** Whom a chain can be asked about. */
export interface Cast {
  readonly people: readonly string[]
  readonly operators: readonly string[]
  readonly proposals: readonly bigint[]
}

/** Asks for the state of a chain. */
export const state = ({ people, operators, proposals }: Cast): Question[] => [
  question('staking.v1beta1.Query/Validators', '', () => all),
  question('staking.v1beta1.Query/Pool'),
  question('slashing.v1beta1.Query/SigningInfos', '', () => all),
  question('distribution.v1beta1.Query/CommunityPool'),
  question('gov.v1.Query/Proposals', '', () => all),
  question('bank.v1beta1.Query/TotalSupply', '', () => all),
  ...[...people, ...moduleAccounts.map((name) => `module:${name}`)].map((name) =>
    question('bank.v1beta1.Query/AllBalances', name, (d) => ({ address: account(d, name), ...all })),
  ),
  ...people.flatMap((name) => [
    ...['DelegatorDelegations', 'DelegatorUnbondingDelegations', 'Redelegations'].map((method) =>
      question(`staking.v1beta1.Query/${method}`, name, (d) => ({ delegatorAddr: account(d, name), ...all })),
    ),
    ofDelegator('DelegationTotalRewards', name),
  ]),
  ...operators.flatMap((name) => [
    ofOperator('ValidatorOutstandingRewards', name),
    ofOperator('ValidatorCommission', name),
    question('distribution.v1beta1.Query/ValidatorSlashes', name, (d) => ({
      validatorAddress: operatorAddress(d, name),
      startingHeight: 0n,
      endingHeight: 1_000_000n,
      ...all,
    })),
  ]),
  ...proposals.flatMap((id) => [
    ofProposal('Votes', id, all),
    ofProposal('Deposits', id, all),
    ofProposal('TallyResult', id),
  ]),
]

/** Whatever else can be asked: other views of the same state, and parameters. */
export const otherViews = ({ people, operators, proposals }: Cast): Question[] => [
  question('staking.v1beta1.Query/Params'),
  question('slashing.v1beta1.Query/Params'),
  question('distribution.v1beta1.Query/Params'),
  question('gov.v1.Query/Params'),
  ...moduleAccounts.map((name) => question('auth.v1beta1.Query/ModuleAccountByName', name, () => ({ name }))),
  ...people.flatMap((name) => [
    question('auth.v1beta1.Query/AccountInfo', name, (d) => ({ address: account(d, name) })),
    question('staking.v1beta1.Query/DelegatorValidators', name, (d) => ({
      delegatorAddr: account(d, name),
      ...all,
    })),
    ofDelegator('DelegatorWithdrawAddress', name),
    ofDelegator('DelegatorValidators', name),
  ]),
  ...operators.flatMap((name) => [
    ...['Validator', 'ValidatorDelegations', 'ValidatorUnbondingDelegations'].map((method) =>
      question(`staking.v1beta1.Query/${method}`, name, (d) => ({
        validatorAddr: operatorAddress(d, name),
        ...(method === 'Validator' ? {} : all),
      })),
    ),
    ofOperator('ValidatorDistributionInfo', name),
    question('slashing.v1beta1.Query/SigningInfo', name, (d) => ({
      consAddress: addressText(d, consensusKey(name).address, 'valcons'),
    })),
  ]),
  ...people.flatMap((person) =>
    operators.map((operator) =>
      question('distribution.v1beta1.Query/DelegationRewards', `${person}, ${operator}`, (d) => ({
        delegatorAddress: account(d, person),
        validatorAddress: operatorAddress(d, operator),
      })),
    ),
  ),
  ...proposals.map((id) => ofProposal('Proposal', id)),
]

const ofDelegator = (method: string, name: string): Question =>
  question(`distribution.v1beta1.Query/${method}`, name, (d) => ({ delegatorAddress: account(d, name) }))

const ofOperator = (method: string, name: string): Question =>
  question(`distribution.v1beta1.Query/${method}`, name, (d) => ({
    validatorAddress: operatorAddress(d, name),
  }))

const ofProposal = (method: string, proposalId: bigint, page = {}): Question =>
  question(`gov.v1.Query/${method}`, `${proposalId}`, () => ({ proposalId, ...page }))

/** Why a proposal failed: a rule's text is the SDK's, an error's each implementation's own. */
const TEXT_OF_RULE = ['', 'proposal did not get enough votes to pass']

/** Numbers of accounts are given in the order of a chain's modules, and pages end where its keys say. */
const IGNORED = new Set(['accountNumber', 'nextKey'])

function withoutIgnored(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutIgnored)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !IGNORED.has(key))
      .map(([key, v]) => {
        const isError = key === 'failedReason' && !TEXT_OF_RULE.includes(String(v))
        return [key, isError ? '(an error)' : withoutIgnored(v)]
      }),
  )
}

/** The answer on the last committed state, or its error's code, without what chains need not share. */
export async function ask(subject: Subject, { method, request }: Question): Promise<Json> {
  const [service, name] = `cosmos.${method}`.split('/') as [string, string]
  const types = serviceDescriptor(service)[name]!
  const data = wireType(types.in)
    .encode(wireType(types.in).fromPartial(request(subject.dialect)))
    .finish()
  const answer = await subject.query(RequestQuery.fromPartial({ path: `/cosmos.${method}`, data }))
  if (answer.code !== 0) return { error: `${answer.codespace}/${answer.code}` }
  return withoutIgnored(plain(wireType(types.out).decode(answer.value)))
}

import * as types from 'cosmjs-types/cosmos/gov/v1/gov'
import {
  type Deposit,
  type Proposal,
  ProposalStatus,
  type TallyResult,
  type Vote,
} from 'cosmjs-types/cosmos/gov/v1/gov'
import * as query from 'cosmjs-types/cosmos/gov/v1/query'
import { type Address, parseAddress } from '../../core/address.ts'
import { part, uint64Key } from '../../core/collections.ts'
import type { Context } from '../../core/context.ts'
import { sdk } from '../../core/error.ts'
import { queries } from '../../core/module.ts'
import { type Page, paginate, paginateSome } from '../../core/pagination.ts'
import { registerTypes } from '../../core/wire/registry.ts'
import { params } from './params.ts'
import { isInDepositPeriod, isInVotingPeriod } from './proposals.ts'
import * as state from './state.ts'
import { EMPTY_TALLY } from './submission.ts'
import { tally } from './tally.ts'

registerTypes(types)

/** Throws sdk/18 for 0. */
function requireId(id: bigint): bigint {
  if (id === 0n) throw sdk.invalidRequest('proposal id can not be 0')
  return id
}

/** Throws sdk/18 for an empty text, sdk/7. */
function requireAddress(text: string, who: string): Address {
  if (text === '') throw sdk.invalidRequest(`empty ${who} address`)
  return parseAddress(text)
}

/** Throws sdk/18, sdk/22. */
export function proposalOf(ctx: Context, { proposalId }: query.QueryProposalRequest): Proposal {
  const found = state.proposals.get(ctx, requireId(proposalId))
  if (found === undefined) throw sdk.keyNotFound(`proposal ${proposalId} doesn't exist`)
  return found
}

const statuses = [
  ProposalStatus.PROPOSAL_STATUS_DEPOSIT_PERIOD,
  ProposalStatus.PROPOSAL_STATUS_VOTING_PERIOD,
  ProposalStatus.PROPOSAL_STATUS_PASSED,
  ProposalStatus.PROPOSAL_STATUS_REJECTED,
  ProposalStatus.PROPOSAL_STATUS_FAILED,
]

export function proposalsPage(
  ctx: Context,
  { proposalStatus, voter, depositor, pagination }: query.QueryProposalsRequest,
): Page<Proposal> {
  const byVoter = voter === '' ? undefined : parseAddress(voter)
  const byDepositor = depositor === '' ? undefined : parseAddress(depositor)
  const byStatus = statuses.includes(proposalStatus)
  return paginateSome(ctx, state.proposals, pagination, (id, proposal) => {
    if (byStatus && proposal.status !== proposalStatus) return undefined
    if (byVoter !== undefined && !state.votes.has(ctx, [id, byVoter])) return undefined
    if (byDepositor !== undefined && !state.deposits.has(ctx, [id, byDepositor])) return undefined
    return proposal
  })
}

/** Throws sdk/7, sdk/18. */
export function voteOf(ctx: Context, { proposalId, voter }: query.QueryVoteRequest): Vote {
  const found = state.votes.get(ctx, [requireId(proposalId), requireAddress(voter, 'voter')])
  if (found === undefined) throw sdk.invalidRequest(`voter: ${voter} not found for proposal: ${proposalId}`)
  return found
}

export const votesPage = (ctx: Context, { proposalId, pagination }: query.QueryVotesRequest): Page<Vote> =>
  paginate(ctx, state.votes, pagination, (_, vote) => vote, part(uint64Key, requireId(proposalId)))

/** Throws sdk/7, sdk/18, sdk/22. */
export function depositOf(ctx: Context, { proposalId, depositor }: query.QueryDepositRequest): Deposit {
  const found = state.deposits.get(ctx, [requireId(proposalId), requireAddress(depositor, 'depositor')])
  if (found === undefined)
    throw sdk.keyNotFound(`depositor: ${depositor} not found for proposal: ${proposalId}`)
  return found
}

export const depositsPage = (
  ctx: Context,
  { proposalId, pagination }: query.QueryDepositsRequest,
): Page<Deposit> =>
  paginate(ctx, state.deposits, pagination, (_, deposit) => deposit, part(uint64Key, requireId(proposalId)))

/** The final tally, or as the votes stand. Throws sdk/18, sdk/22. */
export function tallyOf(ctx: Context, request: query.QueryTallyResultRequest): TallyResult {
  const proposal = proposalOf(ctx, request)
  if (isInDepositPeriod(proposal)) return EMPTY_TALLY
  return isInVotingPeriod(proposal) ? tally(ctx, proposal).result : proposal.finalTallyResult!
}

/** Parameters, with the deprecated view that `params_type` names. Throws sdk/18. */
export function paramsOf(ctx: Context, { paramsType }: query.QueryParamsRequest): query.QueryParamsResponse {
  const p = params(ctx)
  switch (paramsType) {
    case '':
      return { params: p }
    case 'deposit':
      return {
        params: p,
        depositParams: { minDeposit: p.minDeposit, maxDepositPeriod: p.maxDepositPeriod! },
      }
    case 'voting':
      return { params: p, votingParams: { votingPeriod: p.votingPeriod! } }
    case 'tallying': {
      const { quorum, threshold, vetoThreshold } = p
      return { params: p, tallyParams: { quorum, threshold, vetoThreshold } }
    }
    default:
      throw sdk.invalidRequest(`unknown params type: ${paramsType.slice(0, 60)}`)
  }
}

export const govQueries = queries<query.Query>('cosmos.gov.v1.Query', query, {
  Constitution: (ctx) => ({ constitution: state.constitution.get(ctx) ?? '' }),
  Proposal: (ctx, request) => ({ proposal: proposalOf(ctx, request) }),
  Proposals(ctx, request) {
    const { items, pagination } = proposalsPage(ctx, request)
    return { proposals: items, pagination }
  },
  Vote: (ctx, request) => ({ vote: voteOf(ctx, request) }),
  Votes(ctx, request) {
    const { items, pagination } = votesPage(ctx, request)
    return { votes: items, pagination }
  },
  Params: paramsOf,
  Deposit: (ctx, request) => ({ deposit: depositOf(ctx, request) }),
  Deposits(ctx, request) {
    const { items, pagination } = depositsPage(ctx, request)
    return { deposits: items, pagination }
  },
  TallyResult: { alias: 'tally', run: (ctx, request) => ({ tally: tallyOf(ctx, request) }) },
})

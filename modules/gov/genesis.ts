import type { GenesisState } from 'cosmjs-types/cosmos/gov/v1/genesis'
import * as genesisTypes from 'cosmjs-types/cosmos/gov/v1/genesis'
import { moduleAddress, parseAddress } from '../../core/address.ts'
import { checkCoins, coverCoins, formatCoins, sumCoins } from '../../core/coin.ts'
import type { Context } from '../../core/context.ts'
import { sdk } from '../../core/error.ts'
import { genesis } from '../../core/module.ts'
import { registerTypes } from '../../core/wire/registry.ts'
import { balancesOf } from '../bank/api.ts'
import { GOV } from './deposits.ts'
import { checkParams, defaultParams, params } from './params.ts'
import { enqueue, isInDepositPeriod, isInVotingPeriod, putProposal } from './proposals.ts'
import { checkProposedMessages } from './proposed-messages.ts'
import * as state from './state.ts'
import { requireWeights } from './votes.ts'

registerTypes(genesisTypes)

const refuse = (what: string): never => {
  throw sdk.invalidRequest(what)
}

function validate({ startingProposalId, deposits, votes, proposals, params }: GenesisState): void {
  if (startingProposalId === 0n) refuse('starting proposal id must be greater than 0')
  if (params === undefined) throw sdk.invalidRequest('params must be given')
  checkParams(params)
  const ids = new Set<bigint>()
  for (const p of proposals) {
    if (ids.has(p.id)) refuse(`duplicate proposal id: ${p.id}`)
    ids.add(p.id)
    checkProposedMessages(p)
    if (isInDepositPeriod(p) && p.depositEndTime === undefined)
      refuse(`proposal ${p.id} has no deposit_end_time`)
    if (isInVotingPeriod(p) && (p.votingStartTime === undefined || p.votingEndTime === undefined))
      refuse(`proposal ${p.id} has no voting_start_time or voting_end_time`)
    if (p.finalTallyResult === undefined) refuse(`proposal ${p.id} has no final_tally_result`)
  }
  const seen = new Set<string>()
  const requireNew = (kind: string, id: bigint, who: string): void => {
    if (!ids.has(id)) refuse(`${kind} of ${who} has non-existent proposal id: ${id}`)
    parseAddress(who)
    if (seen.has(`${kind} ${id} ${who}`)) refuse(`duplicate ${kind}: ${id}, ${who}`)
    seen.add(`${kind} ${id} ${who}`)
  }
  for (const { proposalId, depositor, amount } of deposits) {
    requireNew('deposit', proposalId, depositor)
    checkCoins(amount)
  }
  for (const { proposalId, voter, options } of votes) {
    requireNew('vote', proposalId, voter)
    requireWeights(options)
  }
}

function init(ctx: Context, g: GenesisState): void {
  state.nextProposalId.set(ctx, g.startingProposalId)
  state.params.set(ctx, g.params!)
  if (g.constitution !== '') state.constitution.set(ctx, g.constitution)
  for (const deposit of g.deposits)
    state.deposits.set(ctx, [deposit.proposalId, parseAddress(deposit.depositor)], deposit)
  for (const vote of g.votes) state.votes.set(ctx, [vote.proposalId, parseAddress(vote.voter)], vote)
  for (const proposal of g.proposals) {
    putProposal(ctx, proposal)
    enqueue(ctx, proposal)
  }
  const deposits = sumCoins(g.deposits.map((d) => d.amount))
  const held = balancesOf(ctx, moduleAddress(GOV))
  if (!coverCoins(held, deposits))
    refuse(`app_state.gov: the account holds ${formatCoins(held)}, its deposits are ${formatCoins(deposits)}`)
}

const values = <V>(entries: Iterable<readonly [unknown, V]>): V[] => [...entries].map(([, v]) => v)

export const govGenesis = genesis<GenesisState>({
  type: 'cosmos.gov.v1.GenesisState',
  defaults: () => ({
    startingProposalId: 1n,
    deposits: [],
    votes: [],
    proposals: [],
    params: defaultParams(),
    constitution: '',
  }),
  validate,
  init,
  export: (ctx) => ({
    startingProposalId: state.nextProposalId.get(ctx) ?? 1n,
    deposits: values(state.deposits.entries(ctx)),
    votes: values(state.votes.entries(ctx)),
    proposals: values(state.proposals.entries(ctx)),
    params: params(ctx),
    constitution: state.constitution.get(ctx) ?? '',
  }),
})

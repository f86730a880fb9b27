import { type Params, type Proposal, ProposalStatus } from 'cosmjs-types/cosmos/gov/v1/gov'
import type { Coin } from '../../core/coin.ts'
import type { Context } from '../../core/context.ts'
import { unregistered } from '../../core/error.ts'
import { nanosecondsOf, timestampOf } from '../../core/time.ts'
import { params } from './params.ts'
import * as state from './state.ts'

export const isInDepositPeriod = ({ status }: Proposal): boolean =>
  status === ProposalStatus.PROPOSAL_STATUS_DEPOSIT_PERIOD

export const isInVotingPeriod = ({ status }: Proposal): boolean =>
  status === ProposalStatus.PROPOSAL_STATUS_VOTING_PERIOD

/** Throws undefined/1. */
export function requireProposal(ctx: Context, id: bigint): Proposal {
  const found = state.proposals.get(ctx, id)
  if (found === undefined) throw unregistered(`proposal ${id} doesn't exist`)
  return found
}

export const minDepositOf = ({ expedited }: Proposal, p: Params): readonly Coin[] =>
  expedited ? p.expeditedMinDeposit : p.minDeposit

export function putProposal(ctx: Context, proposal: Proposal): void {
  if (isInVotingPeriod(proposal)) state.inVotingPeriod.set(ctx, proposal.id, true)
  else state.inVotingPeriod.delete(ctx, proposal.id)
  state.proposals.set(ctx, proposal.id, proposal)
}

/** Puts a proposal into the queue that its status asks for. */
export function enqueue(ctx: Context, proposal: Proposal): void {
  const { id, depositEndTime, votingEndTime } = proposal
  if (isInDepositPeriod(proposal)) state.inactiveQueue.set(ctx, [nanosecondsOf(depositEndTime!), id], true)
  if (isInVotingPeriod(proposal)) state.activeQueue.set(ctx, [nanosecondsOf(votingEndTime!), id], true)
}

export function deleteProposal(ctx: Context, { id, depositEndTime, votingEndTime }: Proposal): void {
  if (depositEndTime !== undefined) state.inactiveQueue.delete(ctx, [nanosecondsOf(depositEndTime), id])
  if (votingEndTime !== undefined) {
    state.activeQueue.delete(ctx, [nanosecondsOf(votingEndTime), id])
    state.inVotingPeriod.delete(ctx, id)
  }
  state.proposals.delete(ctx, id)
}

/** Opens the voting. */
export function activate(ctx: Context, proposal: Proposal): void {
  const { votingPeriod, expeditedVotingPeriod } = params(ctx)
  const period = nanosecondsOf((proposal.expedited ? expeditedVotingPeriod : votingPeriod)!)
  state.inactiveQueue.delete(ctx, [nanosecondsOf(proposal.depositEndTime!), proposal.id])
  const active: Proposal = {
    ...proposal,
    votingStartTime: timestampOf(ctx.timeNs),
    votingEndTime: timestampOf(ctx.timeNs + period),
    status: ProposalStatus.PROPOSAL_STATUS_VOTING_PERIOD,
  }
  putProposal(ctx, active)
  enqueue(ctx, active)
}

import { type Proposal, ProposalStatus } from 'cosmjs-types/cosmos/gov/v1/gov'
import type { MapCollection } from '../../core/collections.ts'
import type { Context } from '../../core/context.ts'
import { ChainError } from '../../core/error.ts'
import { nanosecondsOf, timestampOf } from '../../core/time.ts'
import { unpackMessage } from '../../core/tx/decode.ts'
import { burnDeposits, refundDeposits } from './deposits.ts'
import { params } from './params.ts'
import { deleteProposal, enqueue, putProposal } from './proposals.ts'
import * as state from './state.ts'
import { tally } from './tally.ts'
import { deleteVotes } from './votes.ts'

/** The proposals of a queue whose time has come. What a message of one adds to the queue waits for the next block. */
function* due(
  ctx: Context,
  queue: MapCollection<readonly [timeNs: bigint, id: bigint], true>,
): IterableIterator<Proposal> {
  const ids: bigint[] = []
  for (const [[timeNs, id]] of queue.entries(ctx)) {
    if (timeNs > ctx.timeNs) break
    ids.push(id)
  }
  for (const id of ids) {
    // A message of an earlier proposal may have cancelled this one.
    const proposal = state.proposals.get(ctx, id)
    if (proposal !== undefined) yield proposal
  }
}

function dropUnfunded(ctx: Context, proposal: Proposal): void {
  const { id } = proposal
  deleteProposal(ctx, proposal)
  if (params(ctx).burnProposalDepositPrevote) burnDeposits(ctx, id)
  else refundDeposits(ctx, id)
  ctx.emit('inactive_proposal', { proposal_id: id.toString(), proposal_result: 'proposal_dropped' })
}

/** The outcome of a proposal: its new state, and what the event says. */
interface Outcome {
  readonly proposal: Proposal
  readonly result: string
  readonly log: string
}

const failed = (proposal: Proposal, reason: string, log: string): Outcome => ({
  proposal: { ...proposal, status: ProposalStatus.PROPOSAL_STATUS_FAILED, failedReason: reason },
  result: 'proposal_failed',
  log,
})

/** Runs the messages of a passed proposal: all, or none that leaves a trace. */
async function execute(ctx: Context, proposal: Proposal): Promise<Outcome> {
  let running = 0
  try {
    const messages = proposal.messages.map(unpackMessage)
    await ctx.journal.attemptAsync(async () => {
      for (const [i, message] of messages.entries()) {
        running = i
        await ctx.messages.execute(ctx, message)
      }
    })
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    const { message } = error
    const { typeUrl } = proposal.messages[running]!
    return failed(
      proposal,
      message,
      `passed, but msg ${running} (${typeUrl}) failed on execution: ${message}`,
    )
  }
  return {
    proposal: { ...proposal, status: ProposalStatus.PROPOSAL_STATUS_PASSED },
    result: 'proposal_passed',
    log: 'passed',
  }
}

/** An expedited proposal that did not pass is voted on again, as an ordinary one. */
function slowDown(ctx: Context, proposal: Proposal): Outcome {
  const endNs = nanosecondsOf(proposal.votingStartTime!) + nanosecondsOf(params(ctx).votingPeriod!)
  const regular = { ...proposal, expedited: false, votingEndTime: timestampOf(endNs) }
  enqueue(ctx, regular)
  return {
    proposal: regular,
    result: 'expedited_proposal_rejected',
    log: 'expedited proposal converted to regular',
  }
}

const rejected = (proposal: Proposal): Outcome => ({
  proposal: {
    ...proposal,
    status: ProposalStatus.PROPOSAL_STATUS_REJECTED,
    failedReason: 'proposal did not get enough votes to pass',
  },
  result: 'proposal_rejected',
  log: 'rejected',
})

async function closeVoting(ctx: Context, proposal: Proposal): Promise<void> {
  const { id, expedited } = proposal
  const { passes, burnsDeposits, result: finalTallyResult } = tally(ctx, proposal)
  deleteVotes(ctx, id)
  if (passes || !expedited) {
    if (burnsDeposits) burnDeposits(ctx, id)
    else refundDeposits(ctx, id)
  }
  state.activeQueue.delete(ctx, [nanosecondsOf(proposal.votingEndTime!), id])
  const outcome = passes
    ? await execute(ctx, proposal)
    : expedited
      ? slowDown(ctx, proposal)
      : rejected(proposal)
  putProposal(ctx, { ...outcome.proposal, finalTallyResult })
  ctx.emit('active_proposal', {
    proposal_id: id.toString(),
    proposal_result: outcome.result,
    proposal_log: outcome.log,
  })
}

/** Drops the proposals that found no deposit in time, and decides those whose voting is over. */
export async function endBlock(ctx: Context): Promise<void> {
  for (const proposal of due(ctx, state.inactiveQueue)) dropUnfunded(ctx, proposal)
  for (const proposal of due(ctx, state.activeQueue)) await closeVoting(ctx, proposal)
}

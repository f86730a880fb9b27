import { Proposal, ProposalStatus } from 'cosmjs-types/cosmos/gov/v1/gov'
import { MsgExecLegacyContent, type MsgSubmitProposal } from 'cosmjs-types/cosmos/gov/v1/tx'
import { formatAddress, isAddress, parseAddress } from '../../core/address.ts'
import { AUTHORITY } from '../../core/authority.ts'
import type { Context } from '../../core/context.ts'
import { sdk } from '../../core/error.ts'
import { STORE_GAS } from '../../core/gas.ts'
import { nanosecondsOf, timestampOf } from '../../core/time.ts'
import { signersOf, type TxMessage, unpackMessage } from '../../core/tx/decode.ts'
import { nameOfUrl, packAny } from '../../core/wire/registry.ts'
import { fillNumbers } from '../../core/wire/scalars.ts'
import { addDeposit, chargeDeposits, requireDepositDenoms, requireInitialDeposit } from './deposits.ts'
import { govError } from './errors.ts'
import { legacyContent } from './legacy-content.ts'
import { requireMetadataLength, requireSameMetadata, requireSummaryLength } from './metadata.ts'
import { params } from './params.ts'
import {
  deleteProposal,
  enqueue,
  isInDepositPeriod,
  isInVotingPeriod,
  putProposal,
  requireProposal,
} from './proposals.ts'
import * as state from './state.ts'
import { deleteVotes } from './votes.ts'

export const EMPTY_TALLY = { yesCount: '0', abstainCount: '0', noCount: '0', noWithVetoCount: '0' } as const

/** A message that governance alone signs and some module takes. Throws gov/10, gov/12, gov/13, undefined/111222 and what `decodeAddress` throws. */
function requireProposable(ctx: Context, message: TxMessage): void {
  const { typeUrl, value } = message
  if (typeUrl === MsgExecLegacyContent.typeUrl && !isAddress((value as MsgExecLegacyContent).authority))
    throw govError.invalidProposalMessage('invalid authority')
  const signers = signersOf(message)
  if (signers.length !== 1) throw govError.invalidSigner()
  const signer = formatAddress(signers[0]!)
  if (signer !== AUTHORITY) throw govError.invalidSigner(signer)
  if (!ctx.messages.takes(typeUrl)) throw govError.unroutableProposalMessage(typeUrl)
  if (typeUrl === MsgExecLegacyContent.typeUrl) legacyContent((value as MsgExecLegacyContent).content)
}

/** Checks a proposal as far as that goes without state. Throws sdk/18, gov/11, gov/5. */
export function requireForm({ title, summary, metadata, messages }: MsgSubmitProposal): void {
  if (title === '') throw sdk.invalidRequest('proposal title cannot be empty')
  if (summary === '') throw sdk.invalidRequest('proposal summary cannot be empty')
  if (messages.length === 0 && metadata === '')
    throw govError.noProposalMessages('either metadata or Msgs length must be non-nil')
  requireSameMetadata(metadata, title, summary)
}

function create(ctx: Context, m: MsgSubmitProposal): Proposal {
  const proposer = formatAddress(parseAddress(m.proposer))
  requireMetadataLength(m.metadata)
  requireSummaryLength(m.summary)
  requireMetadataLength(m.title)
  const messages = m.messages.map((any) => {
    const message = unpackMessage(any)
    requireProposable(ctx, message)
    // As the SDK, which encodes anew what it decoded.
    fillNumbers(nameOfUrl(any.typeUrl), message.value)
    return packAny(nameOfUrl(any.typeUrl), message.value)
  })
  const id = state.nextProposalId.get(ctx) ?? 1n
  state.nextProposalId.set(ctx, id + 1n)
  const proposal = Proposal.fromPartial({
    id,
    messages,
    status: ProposalStatus.PROPOSAL_STATUS_DEPOSIT_PERIOD,
    finalTallyResult: EMPTY_TALLY,
    submitTime: timestampOf(ctx.timeNs),
    depositEndTime: timestampOf(ctx.timeNs + nanosecondsOf(params(ctx).maxDepositPeriod!)),
    metadata: m.metadata,
    title: m.title,
    summary: m.summary,
    proposer,
    expedited: m.expedited,
  })
  putProposal(ctx, proposal)
  enqueue(ctx, proposal)
  ctx.emit('submit_proposal', {
    proposal_id: id.toString(),
    proposal_proposer: proposer,
    proposal_messages: m.messages.map(({ typeUrl }) => `,${typeUrl}`).join(''),
  })
  return proposal
}

/**
 * Makes a proposal of good form with its first deposit and answers its number. Throws sdk/10, gov/10 … 16, gov/22, gov/23
 * and what its first deposit throws.
 */
export function submitProposal(ctx: Context, m: MsgSubmitProposal): bigint {
  const p = params(ctx)
  requireInitialDeposit(p, m.initialDeposit, m.expedited)
  requireDepositDenoms(p, m.initialDeposit)
  const proposal = create(ctx, m)
  const { length } = Proposal.encode(proposal).finish()
  ctx.gas.consume(3 * STORE_GAS.writePerByte * length, 'submit proposal')
  const begins = addDeposit(ctx, proposal.id, parseAddress(m.proposer), m.initialDeposit)
  if (begins) ctx.emit('submit_proposal', { voting_period_start: proposal.id.toString() })
  return proposal.id
}

/** Throws undefined/1 without such a proposal, gov/18, gov/20, gov/21. */
export function cancelProposal(ctx: Context, id: bigint, proposer: string): void {
  const proposal = requireProposal(ctx, id)
  if (proposal.proposer === '')
    throw govError.invalidProposal(`proposal ${id} doesn't have proposer ${proposer}, so cannot be canceled`)
  if (proposal.proposer !== proposer) throw govError.invalidProposer(`invalid proposer ${proposer}`)
  if (!isInDepositPeriod(proposal) && !isInVotingPeriod(proposal))
    throw govError.invalidProposal('proposal should be in the deposit or voting period')
  if (proposal.votingEndTime !== undefined && nanosecondsOf(proposal.votingEndTime) < ctx.timeNs)
    throw govError.votingPeriodEnded(`voting period is already ended for this proposal ${id}`)
  chargeDeposits(ctx, id)
  if (proposal.votingStartTime !== undefined) deleteVotes(ctx, id)
  deleteProposal(ctx, proposal)
  ctx.emit('cancel_proposal', { sender: proposer, proposal_id: id.toString() })
}

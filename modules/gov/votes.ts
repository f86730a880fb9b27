import { VoteOption, type WeightedVoteOption } from 'cosmjs-types/cosmos/gov/v1/gov'
import { type Address, formatAddress } from '../../core/address.ts'
import { part, uint64Key } from '../../core/collections.ts'
import type { Context } from '../../core/context.ts'
import type { Dec } from '../../core/dec.ts'
import * as dec from '../../core/dec.ts'
import { type ChainError, rethrowExhaustion, sdk } from '../../core/error.ts'
import { govError } from './errors.ts'
import { requireMetadataLength } from './metadata.ts'
import * as state from './state.ts'

/** The options with their weights as the SDK's events and errors have them: JSON. */
const formatOptions = (options: readonly WeightedVoteOption[]): string =>
  JSON.stringify(options.map(({ option, weight }) => ({ ...(option !== 0 && { option }), weight })))

const isOption = (option: VoteOption): boolean =>
  option >= VoteOption.VOTE_OPTION_YES && option <= VoteOption.VOTE_OPTION_NO_WITH_VETO

/** The weight of an option. Throws gov/7 unless 0 < weight <= 1 and the option is one. */
function weightOf(option: WeightedVoteOption): Dec {
  let weight: Dec
  try {
    weight = dec.parse(option.weight)
  } catch (error) {
    rethrowExhaustion(error)
    throw govError.invalidVote(`invalid weight: ${(error as ChainError).message}`)
  }
  if (weight <= 0n || weight > dec.ONE || !isOption(option.option))
    throw govError.invalidVote(formatOptions([option]))
  return weight
}

/** The whole vote for one option. Throws gov/7. */
export function wholeVote(option: VoteOption): WeightedVoteOption[] {
  if (!isOption(option)) throw govError.invalidVote(String(option))
  return [{ option, weight: '1.000000000000000000' }]
}

/** Different options whose weights sum to 1. Throws sdk/18 for none, gov/7. */
export function requireWeights(options: readonly WeightedVoteOption[]): void {
  if (options.length === 0) throw sdk.invalidRequest('[]')
  let total = 0n
  const used = new Set<VoteOption>()
  for (const option of options) {
    total += weightOf(option)
    if (used.has(option.option)) throw govError.invalidVote('duplicated vote option')
    used.add(option.option)
  }
  if (total > dec.ONE) throw govError.invalidVote('total weight overflow 1.00')
  if (total < dec.ONE) throw govError.invalidVote('total weight lower than 1.00')
}

/** Writes a vote over the voter's earlier one. Throws gov/3, gov/15. */
export function addVote(
  ctx: Context,
  proposalId: bigint,
  voter: Address,
  options: WeightedVoteOption[],
  metadata: string,
): void {
  if (!state.inVotingPeriod.has(ctx, proposalId)) throw govError.inactiveProposal(proposalId.toString())
  requireMetadataLength(metadata)
  const text = formatAddress(voter)
  state.votes.set(ctx, [proposalId, voter], { proposalId, voter: text, options, metadata })
  ctx.emit('proposal_vote', {
    voter: text,
    option: formatOptions(options),
    proposal_id: proposalId.toString(),
  })
}

export function deleteVotes(ctx: Context, proposalId: bigint): void {
  for (const [key] of [...state.votes.entries(ctx, part(uint64Key, proposalId))]) state.votes.delete(ctx, key)
}

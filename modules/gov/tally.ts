import {
  type Proposal,
  type TallyResult,
  VoteOption,
  type WeightedVoteOption,
} from 'cosmjs-types/cosmos/gov/v1/gov'
import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { part, uint64Key } from '../../core/collections.ts'
import type { Context } from '../../core/context.ts'
import type { Dec } from '../../core/dec.ts'
import * as dec from '../../core/dec.ts'
import {
  bondedValidatorsByPower,
  delegationsOf,
  sharesOf,
  tokensFromShares,
  totalBonded,
  totalShares,
} from '../staking/api.ts'
import { params } from './params.ts'
import * as state from './state.ts'

const { VOTE_OPTION_YES: YES, VOTE_OPTION_ABSTAIN: ABSTAIN, VOTE_OPTION_NO: NO } = VoteOption
const VETO = VoteOption.VOTE_OPTION_NO_WITH_VETO

/** The result of the votes on a proposal. */
export interface Tally {
  readonly passes: boolean
  readonly burnsDeposits: boolean
  /** Whole tokens. */
  readonly result: TallyResult
}

/** Tokens by option, and all that voted. */
class Count {
  readonly byOption = new Map<VoteOption, Dec>()
  total: Dec = 0n

  of(option: VoteOption): Dec {
    return this.byOption.get(option) ?? 0n
  }

  add(power: Dec, options: readonly WeightedVoteOption[]): void {
    for (const { option, weight } of options)
      this.byOption.set(option, dec.add(this.of(option), dec.mul(power, dec.parse(weight))))
    this.total = dec.add(this.total, power)
  }
}

/** A delegator's vote counts for itself; a validator's for all its delegations that did not vote. */
function count(ctx: Context, proposalId: bigint): Count {
  const counted = new Count()
  const validators = new Map(
    bondedValidatorsByPower(ctx).map((v) => [
      v.operatorAddress,
      { v, deducted: 0n, options: [] as readonly WeightedVoteOption[] },
    ]),
  )
  for (const [[, voter], { options }] of state.votes.entries(ctx, part(uint64Key, proposalId))) {
    const own = validators.get(formatAddress(voter, VALIDATOR_PREFIX))
    if (own !== undefined) own.options = options
    for (const [, delegation] of delegationsOf(ctx, voter)) {
      const entry = validators.get(delegation.validatorAddress)
      if (entry === undefined) continue
      const shares = sharesOf(delegation)
      entry.deducted = dec.add(entry.deducted, shares)
      counted.add(tokensFromShares(entry.v, shares), options)
    }
  }
  for (const { v, deducted, options } of validators.values())
    if (options.length > 0) counted.add(tokensFromShares(v, dec.sub(totalShares(v), deducted)), options)
  return counted
}

function decide(ctx: Context, { expedited }: Proposal, counted: Count): Omit<Tally, 'result'> {
  const p = params(ctx)
  const fails = (burnsDeposits = false) => ({ passes: false, burnsDeposits })
  const bonded = totalBonded(ctx)
  if (bonded === 0n) return fails()
  if (dec.quo(counted.total, dec.fromInt(bonded)) < dec.parse(p.quorum)) return fails(p.burnVoteQuorum)
  const decisive = dec.sub(counted.total, counted.of(ABSTAIN))
  if (decisive === 0n) return fails()
  if (dec.quo(counted.of(VETO), counted.total) > dec.parse(p.vetoThreshold)) return fails(p.burnVoteVeto)
  const threshold = dec.parse(expedited ? p.expeditedThreshold : p.threshold)
  return dec.quo(counted.of(YES), decisive) > threshold ? { passes: true, burnsDeposits: false } : fails()
}

/** Counts the votes on a proposal, and writes nothing. */
export function tally(ctx: Context, proposal: Proposal): Tally {
  const counted = count(ctx, proposal.id)
  const whole = (option: VoteOption): string => dec.truncateInt(counted.of(option)).toString()
  const result = {
    yesCount: whole(YES),
    abstainCount: whole(ABSTAIN),
    noCount: whole(NO),
    noWithVetoCount: whole(VETO),
  }
  return { ...decide(ctx, proposal, counted), result }
}

import type { Params } from 'cosmjs-types/cosmos/gov/v1/gov'
import { isAddress } from '../../core/address.ts'
import { areValidCoins, coverCoins, formatCoins } from '../../core/coin.ts'
import type { Context } from '../../core/context.ts'
import type { Dec } from '../../core/dec.ts'
import * as dec from '../../core/dec.ts'
import { type ChainError, rethrowExhaustion, unregistered } from '../../core/error.ts'
import { nanosecondsOf, type Seconds } from '../../core/time.ts'
import { BOND_DENOM } from '../staking/api.ts'
import * as state from './state.ts'

const FRX = 10n ** 18n
const DAY = 86_400n
/** The longest time that Go's durations hold, in nanoseconds. */
const MAX_DURATION_NS = 2n ** 63n - 1n

const frx = (amount: bigint) => [{ denom: BOND_DENOM, amount: (amount * FRX).toString() }]
const days = (n: bigint): Seconds => ({ seconds: n * DAY, nanos: 0 })

/** The SDK's, with deposits of 10 FRX and, for expedited proposals, 50 FRX. */
export const defaultParams = (): Params => ({
  minDeposit: frx(10n),
  maxDepositPeriod: days(2n),
  votingPeriod: days(2n),
  quorum: '0.334000000000000000',
  threshold: '0.500000000000000000',
  vetoThreshold: '0.334000000000000000',
  minInitialDepositRatio: '0.000000000000000000',
  proposalCancelRatio: '0.500000000000000000',
  proposalCancelDest: '',
  expeditedVotingPeriod: days(1n),
  expeditedThreshold: '0.667000000000000000',
  expeditedMinDeposit: frx(50n),
  burnVoteQuorum: false,
  burnProposalDepositPrevote: false,
  burnVoteVeto: true,
  minDepositRatio: '0.010000000000000000',
})

export const params = (ctx: Context): Readonly<Params> => state.params.get(ctx) ?? defaultParams()

function parseRatio(text: string, what: string): Dec {
  try {
    return dec.parse(text)
  } catch (error) {
    rethrowExhaustion(error)
    throw unregistered(`invalid ${what} string: ${(error as ChainError).message}`)
  }
}

/** 0 … 1. */
function checkShare(text: string, what: string): void {
  const d = parseRatio(text, what)
  if (d < 0n) throw unregistered(`${what} cannot be negative: ${text}`)
  if (d > dec.ONE) throw unregistered(`${what} too large: ${text}`)
}

/** Above 0, at most 1. */
function checkThreshold(text: string, what: string): Dec {
  const d = parseRatio(text, what)
  if (d <= 0n) throw unregistered(`${what} must be positive: ${text}`)
  if (d > dec.ONE) throw unregistered(`${what} too large: ${text}`)
  return d
}

/** Nanoseconds, of which there are more than none. */
function checkPeriod(period: Seconds | undefined, what: string): bigint {
  if (period === undefined) throw unregistered(`${what} must not be nil`)
  const ns = nanosecondsOf(period)
  if (ns <= 0n) throw unregistered(`${what} must be positive: ${ns}`)
  if (ns > MAX_DURATION_NS) throw unregistered(`${what} is out of range`)
  return ns
}

/** Refuses what the SDK's `Params.ValidateBasic` refuses; it leaves min_deposit_ratio out. Throws undefined/1. */
export function checkParams(p: Params): void {
  if (p.minDeposit.length === 0 || !areValidCoins(p.minDeposit))
    throw unregistered(`invalid minimum deposit: ${formatCoins(p.minDeposit)}`)
  if (p.expeditedMinDeposit.length === 0 || !areValidCoins(p.expeditedMinDeposit))
    throw unregistered(`invalid expedited minimum deposit: ${formatCoins(p.expeditedMinDeposit)}`)
  if (coverCoins(p.minDeposit, p.expeditedMinDeposit))
    throw unregistered(
      `expedited minimum deposit must be greater than minimum deposit: ${formatCoins(p.expeditedMinDeposit)}`,
    )
  checkPeriod(p.maxDepositPeriod, 'maximum deposit period')
  checkShare(p.quorum, 'quorum')
  const threshold = checkThreshold(p.threshold, 'vote threshold')
  if (checkThreshold(p.expeditedThreshold, 'expedited vote threshold') <= threshold)
    throw unregistered(
      `expedited vote threshold ${p.expeditedThreshold}, must be greater than the regular threshold ${p.threshold}`,
    )
  checkThreshold(p.vetoThreshold, 'veto threshold')
  const votingPeriod = checkPeriod(p.votingPeriod, 'voting period')
  if (checkPeriod(p.expeditedVotingPeriod, 'expedited voting period') >= votingPeriod)
    throw unregistered('expedited voting period must be strictly less than the regular voting period')
  checkShare(p.minInitialDepositRatio, 'minimum initial deposit ratio of proposal')
  checkShare(p.proposalCancelRatio, 'burn rate of cancel proposal')
  if (p.proposalCancelDest !== '' && !isAddress(p.proposalCancelDest))
    throw unregistered(`deposits destination address is invalid: ${p.proposalCancelDest}`)
}

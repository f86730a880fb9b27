import type { Deposit, Params } from 'cosmjs-types/cosmos/gov/v1/gov'
import { type Address, formatAddress, moduleAddress, parseAddress } from '../../core/address.ts'
import { equalBytes } from '../../core/bytes.ts'
import {
  addCoins,
  amountOf,
  type Coin,
  checkCoins,
  coverCoins,
  formatCoins,
  sumCoins,
} from '../../core/coin.ts'
import { part, uint64Key } from '../../core/collections.ts'
import type { Context } from '../../core/context.ts'
import * as dec from '../../core/dec.ts'
import { burn, requireMayReceive, transfer, transferToModule } from '../bank/api.ts'
import { fundCommunityPool } from '../distribution/api.ts'
import { govError } from './errors.ts'
import { params } from './params.ts'
import {
  activate,
  isInDepositPeriod,
  isInVotingPeriod,
  minDepositOf,
  putProposal,
  requireProposal,
} from './proposals.ts'
import * as state from './state.ts'

/** The account that keeps the deposits. */
export const GOV = 'gov'

/** The share of a coin, downwards. */
const shareOf = ({ amount }: Coin, ratio: dec.Dec): bigint =>
  dec.truncateInt(dec.mul(dec.fromInt(BigInt(amount)), ratio))

/** Throws gov/23 where a denomination is not among those of the least deposit. */
export function requireDepositDenoms({ minDeposit }: Params, coins: readonly Coin[]): void {
  const denoms = minDeposit.map((c) => c.denom)
  if (coins.some(({ denom }) => !denoms.includes(denom)))
    throw govError.invalidDepositDenom(
      `deposited ${formatCoins(coins)}, but gov accepts only the following denom(s): [${denoms.join(' ')}]`,
    )
}

/** Checks the deposit that a proposal begins with. Throws sdk/10, gov/16. */
export function requireInitialDeposit(p: Params, coins: readonly Coin[], expedited: boolean): void {
  checkCoins(coins)
  const ratio = dec.parse(p.minInitialDepositRatio)
  if (ratio === 0n) return
  const needed = (expedited ? p.expeditedMinDeposit : p.minDeposit).map(({ denom, amount }) => ({
    denom,
    amount: dec.roundInt(dec.mul(dec.fromInt(BigInt(amount)), ratio)).toString(),
  }))
  if (!coverCoins(coins, needed))
    throw govError.minDepositTooSmall(`was (${formatCoins(coins)}), need (${formatCoins(needed)})`)
}

/** Each deposit is worth a share of the least one in one denomination at least. Throws gov/16, undefined/1. */
function requireWorthwhile(p: Params, needed: readonly Coin[], coins: readonly Coin[]): void {
  const ratio = dec.parse(p.minDepositRatio)
  if (ratio === 0n) return
  const thresholds = needed.map((coin) => ({ denom: coin.denom, amount: shareOf(coin, ratio).toString() }))
  const isMet = thresholds.some(
    ({ denom, amount }) => coins.some((c) => c.denom === denom) && amountOf(coins, denom) >= BigInt(amount),
  )
  if (!isMet)
    throw govError.minDepositTooSmall(
      `received ${formatCoins(coins)} but need at least one of the following: ${formatCoins(thresholds)}`,
    )
}

/**
 * Takes a deposit and answers whether the voting began with it. Throws undefined/1 without such a proposal, gov/3,
 * gov/16, gov/23, sdk/5.
 */
export function addDeposit(
  ctx: Context,
  proposalId: bigint,
  depositor: Address,
  coins: readonly Coin[],
): boolean {
  const before = requireProposal(ctx, proposalId)
  if (!isInDepositPeriod(before) && !isInVotingPeriod(before))
    throw govError.inactiveProposal(proposalId.toString())
  const p = params(ctx)
  const needed = minDepositOf(before, p)
  requireDepositDenoms(p, coins)
  requireWorthwhile(p, needed, coins)
  transferToModule(ctx, depositor, GOV, coins)
  const proposal = { ...before, totalDeposit: addCoins(before.totalDeposit, coins) }
  const begins = isInDepositPeriod(proposal) && coverCoins(proposal.totalDeposit, needed)
  if (begins) activate(ctx, proposal)
  else putProposal(ctx, proposal)
  const key = [proposalId, depositor] as const
  const text = formatAddress(depositor)
  ctx.emit('proposal_deposit', {
    depositor: text,
    amount: formatCoins(coins),
    proposal_id: proposalId.toString(),
  })
  const amount = addCoins(state.deposits.get(ctx, key)?.amount ?? [], coins)
  state.deposits.set(ctx, key, { proposalId, depositor: text, amount })
  return begins
}

/** The deposits of a proposal, by depositor. */
const depositsOf = (ctx: Context, proposalId: bigint): (readonly [readonly [bigint, Address], Deposit])[] => [
  ...state.deposits.entries(ctx, part(uint64Key, proposalId)),
]

export function refundDeposits(ctx: Context, proposalId: bigint): void {
  for (const [key, { amount }] of depositsOf(ctx, proposalId)) {
    transfer(ctx, moduleAddress(GOV), key[1], amount)
    state.deposits.delete(ctx, key)
  }
}

export function burnDeposits(ctx: Context, proposalId: bigint): void {
  const deposits = depositsOf(ctx, proposalId)
  for (const [key] of deposits) state.deposits.delete(ctx, key)
  burn(ctx, GOV, sumCoins(deposits.map(([, d]) => d.amount)))
}

/**
 * Gives the deposits of a cancelled proposal back but for their share `proposal_cancel_ratio`, which goes to
 * `proposal_cancel_dest` (the community pool, where that is the account of distribution) or, without one, is burned. Throws sdk/4 where the destination takes nothing.
 */
export function chargeDeposits(ctx: Context, proposalId: bigint): void {
  const { proposalCancelRatio, proposalCancelDest } = params(ctx)
  const ratio = dec.parse(proposalCancelRatio)
  let charges: Coin[] = []
  for (const [key, { amount: coins }] of depositsOf(ctx, proposalId)) {
    const charged = coins.map((coin) => ({ denom: coin.denom, amount: shareOf(coin, ratio).toString() }))
    const left = coins.map(({ denom, amount }, i) => ({
      denom,
      amount: (BigInt(amount) - BigInt(charged[i]!.amount)).toString(),
    }))
    charges = addCoins(charges, charged)
    const refund = addCoins(left)
    if (refund.length > 0) transfer(ctx, moduleAddress(GOV), key[1], refund)
    state.deposits.delete(ctx, key)
  }
  if (charges.length === 0) return
  if (proposalCancelDest === '') {
    burn(ctx, GOV, charges)
    return
  }
  const destination = parseAddress(proposalCancelDest)
  if (equalBytes(destination, moduleAddress('distribution'))) {
    fundCommunityPool(ctx, moduleAddress(GOV), charges)
    return
  }
  requireMayReceive(ctx, destination)
  transfer(ctx, moduleAddress(GOV), destination, charges)
}

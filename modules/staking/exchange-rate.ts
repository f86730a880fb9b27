import type { Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import type { Dec } from '../../core/dec.ts'
import * as dec from '../../core/dec.ts'
import { stakingError } from './errors.ts'

type Rate = Pick<Validator, 'tokens' | 'delegatorShares'>

export const tokensOf = (v: Rate): bigint => BigInt(v.tokens)
export const sharesOf = (d: { readonly shares: string }): Dec => BigInt(d.shares)
export const totalShares = (v: Rate): Dec => BigInt(v.delegatorShares)

/** A validator that lost all its tokens takes no delegations any more. */
export const isRateInvalid = (v: Rate): boolean => tokensOf(v) === 0n && totalShares(v) > 0n

export const tokensFromShares = (v: Rate, shares: Dec): Dec =>
  dec.quo(dec.mulInt(shares, tokensOf(v)), totalShares(v))

export const tokensFromSharesTruncated = (v: Rate, shares: Dec): Dec =>
  dec.quoTruncate(dec.mulInt(shares, tokensOf(v)), totalShares(v))

/** Throws staking/22 where the validator has no tokens. */
export function sharesFromTokens(v: Rate, amount: bigint): Dec {
  if (tokensOf(v) === 0n) throw stakingError.insufficientShares()
  return dec.quoInt(dec.mulInt(totalShares(v), amount), tokensOf(v))
}

/** Throws staking/22 where the validator has no tokens. */
export function sharesFromTokensTruncated(v: Rate, amount: bigint): Dec {
  if (tokensOf(v) === 0n) throw stakingError.insufficientShares()
  return dec.quoTruncate(dec.mulInt(totalShares(v), amount), dec.fromInt(tokensOf(v)))
}

/** The validator with `amount` more tokens, and the shares that they are. */
export function withTokens(v: Validator, amount: bigint): readonly [Validator, issued: Dec] {
  const issued = totalShares(v) === 0n ? dec.fromInt(amount) : sharesFromTokens(v, amount)
  const after = {
    ...v,
    tokens: dec.checkedInt(tokensOf(v) + amount).toString(),
    delegatorShares: dec.add(totalShares(v), issued).toString(),
  }
  return [after, issued]
}

/** The validator without `shares`, and the tokens that they were: whole ones, all that is left for the last share. */
export function withoutShares(v: Validator, shares: Dec): readonly [Validator, tokens: bigint] {
  const left = dec.sub(totalShares(v), shares)
  const tokens = left === 0n ? tokensOf(v) : dec.truncateInt(tokensFromShares(v, shares))
  const after = { ...v, tokens: (tokensOf(v) - tokens).toString(), delegatorShares: left.toString() }
  return [after, tokens]
}

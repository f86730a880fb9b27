import type { Params } from 'cosmjs-types/cosmos/distribution/v1beta1/distribution'
import type { Context } from '../../core/context.ts'
import * as dec from '../../core/dec.ts'
import { decimalFromAtomics } from '../../core/decimal-text.ts'
import { unregistered } from '../../core/error.ts'
import * as state from './state.ts'

/** The proposers' rewards are deprecated and without effect. */
export const defaultParams = (): Params => ({
  communityTax: (dec.ONE / 50n).toString(),
  baseProposerReward: '0',
  bonusProposerReward: '0',
  withdrawAddrEnabled: true,
})

export const params = (ctx: Context): Readonly<Params> => state.params.get(ctx) ?? defaultParams()

/** Throws undefined/1, as the SDK. */
export function checkParams({ communityTax }: Params): void {
  if (communityTax === '') throw unregistered('community tax must be not nil')
  const text = decimalFromAtomics(communityTax)
  if (BigInt(communityTax) < 0n) throw unregistered(`community tax must be positive: ${text}`)
  if (BigInt(communityTax) > dec.ONE) throw unregistered(`community tax too large: ${text}`)
}

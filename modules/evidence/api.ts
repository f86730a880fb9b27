import { type Address, CONSENSUS_PREFIX, formatAddress } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import * as state from './state.ts'

/** Hashes of the equivocations of the validator with this consensus address. */
export function evidenceAgainst(ctx: Context, consensus: Address): Uint8Array[] {
  const text = formatAddress(consensus, CONSENSUS_PREFIX)
  return [...state.equivocations.entries(ctx)].flatMap(([hash, e]) =>
    e.consensusAddress === text ? [hash] : [],
  )
}

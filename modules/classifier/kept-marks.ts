import type { Address } from '../../core/address.ts'
import { equalBytes } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import type { KeptMarks, ValidatorRecord } from '../../proto/gen/fornax/classifier/v1/classifier.ts'
import * as state from './state.ts'

/** A day of blocks of 5 s: whoever comes back within it comes back to its marks. */
const KEPT_BLOCKS = 17_280n

/** Remembers what a validator has signed against itself, as its record is dropped. */
export function keepMarks(ctx: Context, { address, leftAt, deviant, disagreement }: ValidatorRecord): void {
  if (deviant === 0n && disagreement === 0n) return
  state.keptMarks.set(ctx, [leftAt, address as Address], { address, leftAt, deviant, disagreement })
}

/** The marks that a newcomer had when it left, which are its record's again. */
export function takeMarks(ctx: Context, address: Address): Pick<KeptMarks, 'deviant' | 'disagreement'> {
  for (const [key, { deviant, disagreement }] of state.keptMarks.entries(ctx)) {
    if (!equalBytes(key[1], address)) continue
    state.keptMarks.delete(ctx, key)
    return { deviant, disagreement }
  }
  return { deviant: 0n, disagreement: 0n }
}

export function forgetOldMarks(ctx: Context): void {
  for (const [key, { leftAt }] of [...state.keptMarks.entries(ctx)]) {
    if (leftAt + KEPT_BLOCKS > ctx.height) return
    state.keptMarks.delete(ctx, key)
  }
}

import type { Address } from '../../core/address.ts'
import { equalBytes } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import type { KeptMarks, ValidatorRecord } from '../../proto/gen/fornax/classifier/v1/classifier.ts'
import * as state from './state.ts'

/** A day of blocks of 5 s: whoever comes back within it comes back to its marks. */
const KEPT_BLOCKS = 17_280n

/** Remembers what a validator has signed against itself, as its record is dropped. */
export function keepMarks(ctx: Context, record: ValidatorRecord): void {
  const { address, leftAt, deviant, disagreement, disagreementLong } = record
  if (deviant === 0n && disagreement === 0n && disagreementLong === 0) return
  const marks = { address, leftAt, deviant, disagreement, disagreementLong }
  state.keptMarks.set(ctx, [leftAt, address as Address], marks)
}

/** The marks that a newcomer had when it left, which are its record's again. */
export function takeMarks(
  ctx: Context,
  address: Address,
): Pick<KeptMarks, 'deviant' | 'disagreement' | 'disagreementLong'> {
  for (const [key, { deviant, disagreement, disagreementLong }] of state.keptMarks.entries(ctx)) {
    if (!equalBytes(key[1], address)) continue
    state.keptMarks.delete(ctx, key)
    return { deviant, disagreement, disagreementLong }
  }
  return { deviant: 0n, disagreement: 0n, disagreementLong: 0 }
}

export function forgetOldMarks(ctx: Context): void {
  for (const [key, { leftAt }] of [...state.keptMarks.entries(ctx)]) {
    if (leftAt + KEPT_BLOCKS > ctx.height) return
    state.keptMarks.delete(ctx, key)
  }
}

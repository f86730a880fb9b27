import type { Context } from '../../core/context.ts'
import * as state from './state.ts'

/** For an export that starts again at height zero: every validator has signed from there on. */
export function prepareForZeroHeight(ctx: Context): void {
  for (const [consensus, info] of [...state.signingInfos.entries(ctx)])
    state.signingInfos.set(ctx, consensus, { ...info, startHeight: 0n })
}

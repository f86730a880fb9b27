import type { Context } from '../../core/context.ts'
import { takeRecord } from './former-members.ts'
import { model, nextModel } from './model.ts'
import * as state from './state.ts'

/**
 * For an export that starts again at height zero: a model that is to follow does so after as many blocks as were left.
 * Records and telemetry, which speak of the blocks of a chain, are forgotten; agent keys stay.
 */
export function prepareForZeroHeight(ctx: Context): void {
  const inForce = model(ctx)
  const next = nextModel(ctx)
  if (next !== undefined && next.activationHeight > ctx.height)
    state.nextModel.set(ctx, { ...next, activationHeight: next.activationHeight - ctx.height })
  else state.nextModel.delete(ctx)
  const present = next !== undefined && next.activationHeight <= ctx.height ? next : inForce
  if (present.sha256.length > 0) state.model.set(ctx, { ...present, activationHeight: 0n })
  state.roster.delete(ctx)
  for (const [address] of [...state.formerMembers.entries(ctx)]) takeRecord(ctx, address)
  for (const [operator] of [...state.telemetry.entries(ctx)]) state.telemetry.delete(ctx, operator)
}

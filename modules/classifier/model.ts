import type { Context } from '../../core/context.ts'
import type { Model } from '../../proto/gen/fornax/classifier/v1/classifier.ts'
import { classifierError } from './errors.ts'
import { REPORT_DELAY } from './report.ts'
import * as state from './state.ts'

const NO_MODEL: Readonly<Model> = Object.freeze({ sha256: new Uint8Array(0), activationHeight: 0n })

export const model = (ctx: Context): Readonly<Model> => state.model.get(ctx) ?? NO_MODEL

export const nextModel = (ctx: Context): Readonly<Model> | undefined => state.nextModel.get(ctx)

/** The model that makes the scores of the state at the end of `height`. */
export function modelAt(ctx: Context, height: bigint): Readonly<Model> {
  const next = nextModel(ctx)
  return next !== undefined && next.activationHeight <= height ? next : model(ctx)
}

/** The model that makes the scores in the reports that this block carries. */
export const modelOfReports = (ctx: Context): Readonly<Model> => modelAt(ctx, ctx.height - REPORT_DELAY)

/** Names the model that is to follow; one that was named before and is not in force is dropped. Throws classifier/7. */
export function setNextModel(ctx: Context, next: Model): void {
  if (next.sha256.length !== 32) throw classifierError.badModel('the sha256 has 32 bytes')
  if (next.activationHeight <= ctx.height)
    throw classifierError.badModel(`height ${next.activationHeight} is not ahead of ${ctx.height}`)
  if ((nextModel(ctx)?.activationHeight ?? ctx.height + 1n) <= ctx.height)
    throw classifierError.badModel('the one before takes over just now: name it two blocks later')
  state.nextModel.set(ctx, next)
}

/** Puts the next model in force once no report of the one before can come any more. */
export function promoteModel(ctx: Context): void {
  const next = nextModel(ctx)
  if (next === undefined || next.activationHeight > ctx.height - REPORT_DELAY) return
  state.model.set(ctx, next)
  state.nextModel.delete(ctx)
}

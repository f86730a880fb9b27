import type { Context } from '../../core/context.ts'
import { sdk } from '../../core/error.ts'
import type { Params } from '../../proto/gen/fornax/classifier/v1/classifier.ts'
import * as state from './state.ts'

export const defaultParams = (): Params => ({ agreementTolerance: 200, maxAgentTxs: 8, maxClockDrift: 60 })

export const params = (ctx: Context): Readonly<Params> => state.params.get(ctx) ?? defaultParams()

/** Throws sdk/18. */
export function checkParams({ agreementTolerance, maxAgentTxs, maxClockDrift }: Params): void {
  if (agreementTolerance > 2_000)
    throw sdk.invalidRequest(`agreement tolerance is at most 2000, got ${agreementTolerance}`)
  if (maxAgentTxs < 2 || maxAgentTxs > 256)
    throw sdk.invalidRequest(`agent transactions a block are 2 to 256, got ${maxAgentTxs}`)
  if (maxClockDrift < 5 || maxClockDrift > 3_600)
    throw sdk.invalidRequest(`clock drift is 5 to 3600 seconds, got ${maxClockDrift}`)
}

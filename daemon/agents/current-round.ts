import { Context } from '../../core/context.ts'
import { Journal } from '../../core/journal.ts'
import { lastRound } from '../../modules/agents/api.ts'
import type { App } from '../app/app.ts'

export interface CurrentRound {
  /** Agreeing members of the Zenith Pool by its size; 1 where it is empty. */
  readonly similarity: number
  readonly zenithSize: number
  readonly degraded: boolean
}

/** What the last round came to, be its commit withheld or not: read from the working state. */
export function currentRound(app: App): CurrentRound {
  const ctx = new Context(new Journal(app.working), app.committedBlock, 'query')
  const { agreeing, zenithSize, degraded } = lastRound(ctx)
  return { similarity: zenithSize === 0 ? 1 : agreeing / zenithSize, zenithSize, degraded }
}

import { Context } from '../../core/context.ts'
import { Journal } from '../../core/journal.ts'
import { lastRound, sixfoldWhole } from '../../modules/agents/api.ts'
import type { App } from '../app/app.ts'

export interface CurrentRound {
  /** Share of the Zenith Pool's power that does not disagree; 1 where it is empty. */
  readonly similarity: number
  readonly zenithSize: number
  readonly degraded: boolean
}

/** What the last round came to, be its commit withheld or not: read from the working state. */
export function currentRound(app: App): CurrentRound {
  const ctx = new Context(new Journal(app.working), app.committedBlock, 'query')
  const round = lastRound(ctx)
  const { zenithSize, degraded } = round
  const whole = sixfoldWhole(round)
  const similarity = whole === 0n ? 1 : 1 - Number(6n * round.disagreeingPower) / Number(whole)
  return { similarity, zenithSize, degraded }
}

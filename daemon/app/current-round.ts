import { lastRound, sixfoldWhole } from '../../modules/agents/api.ts'
import type { Chain } from './chain.ts'

export interface CurrentRound {
  /** Share of the Zenith Pool's power that does not disagree; 1 where it is empty. */
  readonly similarity: number
  readonly zenithSize: number
  readonly degraded: boolean
}

/** The outcome of the last round, be its commit withheld or not: read from the working state. */
export function currentRound(chain: Chain): CurrentRound {
  const round = lastRound(chain.view('working'))
  const { zenithSize, degraded } = round
  const whole = sixfoldWhole(round)
  const similarity = whole === 0n ? 1 : 1 - Number(6n * round.disagreeingPower) / Number(whole)
  return { similarity, zenithSize, degraded }
}

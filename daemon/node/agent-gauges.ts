import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { MAX_SCORE, rosterOf } from '../../modules/classifier/api.ts'
import type { Chain } from '../app/chain.ts'
import { currentRound } from '../app/current-round.ts'
import type { Metrics } from '../metrics.ts'
import { STANDINGS, type StandingWatch } from '../validator/standing-watch.ts'
import { FAULTS, type TelemetryWatch } from '../validator/telemetry-watch.ts'

/** What is watched of this node's validator. */
interface Watches {
  readonly telemetry: Pick<TelemetryWatch, 'status'>
  readonly standing: Pick<StandingWatch, 'standing'>
}

/** Has the gauges of scores, rounds and the halt, and of this node's validator, read at each scrape. */
export function showAgents(chain: Chain, metrics: Metrics, { telemetry, standing }: Watches): void {
  const { scores, similarity, zenithSize, degradedRounds, halted, telemetryFaults, ownStanding } = metrics
  Object.assign(scores, {
    collect() {
      scores.reset()
      if (chain.store.height === 0) return
      for (const { operator, score } of rosterOf(chain.view('committed')).records)
        scores.set({ validator: formatAddress(operator, VALIDATOR_PREFIX) }, score / MAX_SCORE)
    },
  })
  Object.assign(similarity, { collect: () => similarity.set(currentRound(chain).similarity) })
  const rounds = (): number => chain.decidedHeight - chain.store.height
  Object.assign(degradedRounds, { collect: () => degradedRounds.set(rounds()) })
  Object.assign(halted, { collect: () => halted.set(chain.isHalted ? 1 : 0) })
  Object.assign(telemetryFaults, {
    collect() {
      for (const fault of FAULTS)
        telemetryFaults.set({ fault }, telemetry.status.findings.some((f) => f.fault === fault) ? 1 : 0)
    },
  })
  Object.assign(ownStanding, {
    collect() {
      for (const each of STANDINGS) ownStanding.set({ standing: each }, each === standing.standing ? 1 : 0)
    },
  })
  Object.assign(zenithSize, { collect: () => zenithSize.set(currentRound(chain).zenithSize) })
}

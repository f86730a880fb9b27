import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { MAX_SCORE, rosterOf } from '../../modules/classifier/api.ts'
import type { Chain } from '../app/chain.ts'
import { currentRound } from '../app/current-round.ts'
import type { Metrics } from '../metrics.ts'
import { FAULTS, type TelemetryWatch } from '../validator/telemetry-watch.ts'

/** Has the gauges of scores, of the last round, of the streak, of the halt and of telemetry read at each scrape. */
export function showAgents(chain: Chain, metrics: Metrics, watch: Pick<TelemetryWatch, 'status'>): void {
  const { scores, similarity, zenithSize, degradedRounds, halted, telemetryFaults } = metrics
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
        telemetryFaults.set({ fault }, watch.status.findings.some((f) => f.fault === fault) ? 1 : 0)
    },
  })
  Object.assign(zenithSize, { collect: () => zenithSize.set(currentRound(chain).zenithSize) })
}

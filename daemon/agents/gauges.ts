import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { MAX_SCORE, rosterOf } from '../../modules/classifier/api.ts'
import type { App } from '../app/app.ts'
import { queryContext } from '../app/query.ts'
import type { Metrics } from '../metrics.ts'
import { currentRound } from './current-round.ts'

/** Has the gauges of scores and of the last round read from the state at each scrape. */
export function showAgents(app: App, { scores, similarity, zenithSize }: Metrics): void {
  Object.assign(scores, {
    collect() {
      scores.reset()
      if (app.store.height === 0) return
      for (const { operator, score } of rosterOf(queryContext(app, app.store.height)).records)
        scores.set({ validator: formatAddress(operator, VALIDATOR_PREFIX) }, score / MAX_SCORE)
    },
  })
  Object.assign(similarity, { collect: () => similarity.set(currentRound(app).similarity) })
  Object.assign(zenithSize, { collect: () => zenithSize.set(currentRound(app).zenithSize) })
}

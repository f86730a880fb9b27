import { join } from 'node:path'
import { beginningOf } from '../../genesis/beginning.ts'
import type { GenesisDocument } from '../../genesis/document.ts'
import { modules } from '../../modules/index.ts'
import { Chain } from '../app/chain.ts'
import { Classifier } from '../classifier/classifier.ts'
import { ownModels } from '../classifier/model-files.ts'
import type { Metrics } from '../metrics.ts'
import type { Store } from '../store/store.ts'
import type { OwnTelemetry } from '../validator/own-telemetry.ts'
import { appVersion } from '../version.ts'
import type { NodeOptions } from './options.ts'

export const classifierOf = ({ home, config, log }: NodeOptions, metrics: Metrics): Classifier =>
  new Classifier({
    folders: [ownModels, config.classifier.models || join(home.path, 'models')],
    log: log.child({ module: 'classifier' }),
    onInference: (seconds) => {
      if (seconds === 'failed') metrics.inferenceFailures.inc()
      else metrics.inferenceSeconds.observe(seconds)
    },
  })

/** The chain of this store and genesis file, with the classifier as its reporter. */
export const chainOf = (
  { config, log }: NodeOptions,
  genesis: GenesisDocument,
  store: Store,
  classifier: Classifier,
  ownTelemetry: OwnTelemetry,
): Chain =>
  new Chain({
    store,
    reporter: classifier,
    ownTelemetry,
    modules,
    ...(store.height === 0 && { beginning: beginningOf(genesis) }),
    version: appVersion,
    minimumGasPrices: config.minimum_gas_prices.map(({ denom, amount }) => ({
      denom,
      atomics: amount * 10n ** 18n,
    })),
    log: log.child({ module: 'app' }),
  })

import { bindServices } from '../services/bind.ts'
import { pruningPlan } from '../store/pruning-options.ts'
import { appCommit, appName, appVersion } from '../version.ts'
import type { NodeCore } from './options.ts'
import { pruningOf } from './store.ts'

/** Adds the node's own gRPC methods, which tell of its settings. */
export const addServices = ({ chain, rpc, config }: NodeCore): void =>
  bindServices({
    chain,
    rpc,
    facts: {
      appName,
      version: appVersion,
      commit: appCommit,
      minimumGasPrices: config.minimum_gas_prices.map(({ amount, denom }) => `${amount}${denom}`).join(','),
      ...(config.store.pruning !== 'nothing' && { pruning: pruningPlan(pruningOf(config)) }),
    },
  })

import { sectionToJson } from '../../../core/genesis-section.ts'
import { modules } from '../../../modules/index.ts'
import type { GenesisState } from '../../../proto/gen/fornax/evm/v1/genesis.ts'

const { genesis } = modules.find(({ name }) => name === 'evm')!

/** The EVM's section of a genesis file, with these parameters. */
export function evmOf(params: Partial<GenesisState['params']>): object {
  const state = genesis!.defaults() as GenesisState
  return sectionToJson(genesis!, { ...state, params: { ...state.params, ...params } })
}

/** The same of a chain without a base fee: what fees are is up to the test. */
export const evmWithoutBaseFee = (): object => evmOf({ noBaseFee: true })

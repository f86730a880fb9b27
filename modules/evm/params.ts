import type { Context } from '../../core/context.ts'
import { sdk } from '../../core/error.ts'
import type { Params } from '../../proto/gen/fornax/evm/v1/evm.ts'
import * as state from './state.ts'

/** The number that a transaction is signed for (EIP-155). */
export const EVM_CHAIN_ID = 7373n
/** Gas that one transaction may want (EIP-7825). */
export const MAX_TX_GAS = 16_777_216n
const GWEI = 1_000_000_000n
/** Gas is counted in numbers, exact far beyond this. */
const MAX_BLOCK_GAS = 10n ** 12n
const MIN_BLOCK_GAS = 1_000_000n

export const defaultParams = (): Params => ({
  // What the dearest known programs take half a slot for (bench/README.md, evm-worst).
  blockGasLimit: 30_000_000n,
  noBaseFee: false,
  baseFeeChangeDenominator: 8,
  elasticityMultiplier: 2,
  minBaseFee: GWEI.toString(),
})

export const params = (ctx: Context): Readonly<Params> => state.params.get(ctx) ?? defaultParams()

/** Throws sdk/18 with the parameter that is out of bounds. */
export function checkParams(p: Params): void {
  const require = (holds: boolean, what: string): void => {
    if (!holds) throw sdk.invalidRequest(what)
  }
  require(p.blockGasLimit >= MIN_BLOCK_GAS &&
    p.blockGasLimit <=
      MAX_BLOCK_GAS, `block_gas_limit is ${MIN_BLOCK_GAS} to ${MAX_BLOCK_GAS}, got ${p.blockGasLimit}`)
  require(p.baseFeeChangeDenominator >= 1 &&
    p.baseFeeChangeDenominator <=
      1_000_000, `base_fee_change_denominator is 1 to 1000000, got ${p.baseFeeChangeDenominator}`)
  require(p.elasticityMultiplier >= 1 &&
    p.elasticityMultiplier <= 100, `elasticity_multiplier is 1 to 100, got ${p.elasticityMultiplier}`)
  const least = BigInt(p.minBaseFee === '' ? '0' : p.minBaseFee)
  require(least >= 0n && least <= 10n ** 24n, `min_base_fee is 0 to 10^24, got ${p.minBaseFee}`)
}

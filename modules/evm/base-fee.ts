import { larger } from '../../core/bigints.ts'
import type { Context } from '../../core/context.ts'
import { gasMeter } from '../../core/gas.ts'
import type { Params, Parent } from '../../proto/gen/fornax/evm/v1/evm.ts'
import { params } from './params.ts'
import * as state from './state.ts'

/** EIP-1559, with a floor: the base fee of the block behind `parent`, in afrx a gas. */
export function nextBaseFee(
  { noBaseFee, minBaseFee, baseFeeChangeDenominator, elasticityMultiplier }: Params,
  parent: Parent | undefined,
): bigint {
  if (noBaseFee) return 0n
  const least = BigInt(minBaseFee)
  if (parent === undefined) return least
  const target = parent.gasLimit / BigInt(elasticityMultiplier)
  const before = BigInt(parent.baseFee)
  if (target === 0n || parent.gas === target) return larger(before, least)
  const distance = parent.gas > target ? parent.gas - target : target - parent.gas
  const change = (before * distance) / target / BigInt(baseFeeChangeDenominator)
  return larger(parent.gas > target ? before + larger(change, 1n) : before - change, least)
}

/** What the block that is executed, or the next where none is, asks of each gas. */
export function baseFee(ctx: Context): bigint {
  const free = ctx.withGas(gasMeter())
  if (ctx.mode === 'deliver' || ctx.mode === 'block') {
    const current = state.current.get(free)
    if (current !== undefined) return BigInt(current.baseFee)
  }
  return nextBaseFee(params(free), state.parent.get(free))
}

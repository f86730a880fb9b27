import { type Address, moduleAddress } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import { gasMeter } from '../../core/gas.ts'
import { ensureModuleAccount, FEE_COLLECTOR } from '../auth/api.ts'
import { moveBalance } from '../bank/api.ts'
import { NATIVE_DENOM } from './world-state.ts'

/** The whole limit's price goes to the fee collector first, so that coins are somewhere at any time; the rest comes back. */
export function takeFee(ctx: Context, payer: Address, amount: bigint): void {
  if (amount === 0n) return
  const free = ctx.withGas(gasMeter())
  ensureModuleAccount(free, FEE_COLLECTOR)
  moveBalance(free, payer, moduleAddress(FEE_COLLECTOR), NATIVE_DENOM, amount)
}

export function returnFee(ctx: Context, payer: Address, amount: bigint): void {
  if (amount === 0n) return
  moveBalance(ctx.withGas(gasMeter()), moduleAddress(FEE_COLLECTOR), payer, NATIVE_DENOM, amount)
}

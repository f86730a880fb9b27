import { type Address, formatAddress } from '../../core/address.ts'
import { type Coin, checkCoins, formatCoins } from '../../core/coin.ts'
import type { Context } from '../../core/context.ts'
import { DECIMAL_ONE } from '../../core/decimal-text.ts'
import { ChainError, rethrowExhaustion, sdk } from '../../core/error.ts'
import { gasMeter } from '../../core/gas.ts'
import type { GasPrice } from '../../core/module.ts'
import type { DecodedTx } from '../../core/tx/decode.ts'
import { FEE_COLLECTOR, hasAccount } from '../auth/api.ts'
import { balanceOf, transferToModule } from '../bank/api.ts'
import { baseFee, NATIVE_DENOM } from '../evm/api.ts'

/** Throws sdk/13 unless the fee reaches one of the prices (rounded up). A validator's own rule: CheckTx only. */
export function requireMinimumFee(fee: readonly Coin[], gas: bigint, prices: readonly GasPrice[]): void {
  if (prices.every((p) => p.atomics === 0n)) return
  const required = prices.map(({ denom, atomics }) => ({
    denom,
    amount: ((atomics * gas + DECIMAL_ONE - 1n) / DECIMAL_ONE).toString(),
  }))
  const paid = required.some((r) =>
    fee.some((f) => f.denom === r.denom && BigInt(f.amount) >= BigInt(r.amount) && BigInt(f.amount) > 0n),
  )
  if (!paid)
    throw sdk.insufficientFee(
      `insufficient fees; got: ${formatCoins(fee)} required: ${formatCoins(required)}`,
    )
}

/** Throws sdk/13 unless the fee has the block's base fee for each gas. */
export function requireBaseFee(ctx: Context, fee: readonly Coin[], gas: bigint): void {
  const required = baseFee(ctx) * gas
  if (required === 0n) return
  const paid = BigInt(fee.find(({ denom }) => denom === NATIVE_DENOM)?.amount ?? '0')
  if (paid < required)
    throw sdk.insufficientFee(
      `insufficient fees; got: ${formatCoins(fee)} required: ${required}${NATIVE_DENOM} (the base fee of ${gas} gas)`,
    )
}

/**
 * Takes the gas of a fee from a simulation that names none, as clients ask for gas before they know the fee: what
 * they are told must be enough for the transaction with its fee. Moves nothing.
 */
export function consumeGasOfFee(ctx: Context, payer: Address, prices: readonly GasPrice[]): void {
  const price = prices.find((p) => p.atomics > 0n)
  if (price === undefined || balanceOf(ctx.withGas(gasMeter()), payer, price.denom) === 0n) return
  ctx.journal.checkpoint()
  try {
    transferToModule(ctx, payer, FEE_COLLECTOR, [{ denom: price.denom, amount: '1' }])
  } finally {
    ctx.journal.revert()
  }
}

/** Moves the fee to the fee collector. Throws sdk/9, sdk/13, sdk/5, sdk/18. */
export function deductFee(ctx: Context, tx: DecodedTx): void {
  const { amount, granter } = tx.authInfo.fee!
  if (granter !== '') throw sdk.invalidRequest('fee grants are not enabled')
  const payer = formatAddress(tx.feePayer)
  if (!hasAccount(ctx, tx.feePayer)) throw sdk.unknownAddress(`fee payer address: ${payer} does not exist`)
  if (amount.length > 0) {
    try {
      checkCoins(amount)
    } catch (error) {
      rethrowExhaustion(error)
      throw sdk.insufficientFee(`invalid fee amount: ${formatCoins(amount)}`)
    }
    try {
      transferToModule(ctx, tx.feePayer, FEE_COLLECTOR, amount)
    } catch (error) {
      if (error instanceof ChainError && error.code !== 11) throw sdk.insufficientFunds(error.message)
      throw error
    }
  }
  ctx.emit('tx', { fee: formatCoins(amount), fee_payer: payer })
}

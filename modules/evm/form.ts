import type { Context } from '../../core/context.ts'
import { DECIMAL_ONE } from '../../core/decimal-text.ts'
import { rethrowExhaustion, sdk, Unreadable } from '../../core/error.ts'
import { type GasPrice, transactionForm } from '../../core/module.ts'
import { environmentOf } from './environment.ts'
import { takeFee } from './fees.ts'
import { EVM_CHAIN_ID, params } from './params.ts'
import { runEthereumTx } from './run.ts'
import { decodeEthereumTx, isEthereumTx } from './transaction/decode.ts'
import type { EthereumTx } from './transaction/ethereum-tx.ts'
import { checkAgainstState, checkForm, checkPrice } from './validate.ts'
import { NATIVE_DENOM, WorldState } from './world-state.ts'

function decode(bytes: Uint8Array): EthereumTx {
  try {
    return decodeEthereumTx(bytes, EVM_CHAIN_ID)
  } catch (error) {
    rethrowExhaustion(error)
    if (error instanceof Unreadable) throw sdk.txDecode(error.message)
    throw error
  }
}

/** In afrx, rounded up. */
function leastPrice(prices: readonly GasPrice[]): bigint {
  const atomics = prices.find(({ denom }) => denom === NATIVE_DENOM)?.atomics ?? 0n
  return (atomics + DECIMAL_ONE - 1n) / DECIMAL_ONE
}

function check(ctx: Context, tx: EthereumTx, minimumGasPrices: readonly GasPrice[]): void {
  const block = environmentOf(ctx)
  checkForm(tx)
  checkPrice(tx, block.baseFee, leastPrice(minimumGasPrices))
  checkAgainstState(ctx, tx, block)
  takeFee(ctx, tx.sender, tx.gasLimit * tx.maxFeePerGas + tx.value)
  new WorldState(ctx).setNonce(tx.sender, tx.nonce + 1n)
}

/** Transactions of Ethereum's, as raw bytes. */
export const ethereumTransactions = transactionForm<EthereumTx>({
  isMeant: isEthereumTx,
  decode,
  gasWanted: (tx) => tx.gasLimit,
  blockGas: (ctx) => params(ctx).blockGasLimit,
  check,
  run: runEthereumTx,
})

import type { Context } from '../../core/context.ts'
import { hexAddress } from './environment.ts'
import { evmError } from './errors.ts'
import { delegateOf } from './machine/delegation.ts'
import type { BlockEnvironment } from './machine/frame.ts'
import { MAX_INIT_CODE_BYTES } from './machine/instructions/calls.ts'
import { MAX_TX_GAS } from './params.ts'
import { type EthereumTx, effectiveGasPrice } from './transaction/ethereum-tx.ts'
import { intrinsicGas } from './transaction/intrinsic-gas.ts'
import { WorldState } from './world-state.ts'

/** What holds of a transaction in any state. Throws evm/26, 29, 30, 31. */
export function checkForm(tx: EthereumTx): void {
  if (tx.gasLimit > MAX_TX_GAS) throw evmError.gasAboveCap(`cap ${MAX_TX_GAS}, tx ${tx.gasLimit}`)
  if (tx.to === undefined && tx.data.length > MAX_INIT_CODE_BYTES)
    throw evmError.initCodeTooLong(`code size ${tx.data.length}, limit ${MAX_INIT_CODE_BYTES}`)
  const { intrinsic, floor } = intrinsicGas(tx)
  if (tx.gasLimit < BigInt(intrinsic))
    throw evmError.intrinsicGas(`gas ${tx.gasLimit}, minimum needed ${intrinsic}`)
  if (tx.gasLimit < BigInt(floor)) throw evmError.floorGas(`gas ${tx.gasLimit}, minimum needed ${floor}`)
}

/** Whether the transaction may be the next of its sender's. Throws evm/21 to 25 and 27. */
export function checkAgainstState(ctx: Context, tx: EthereumTx, block: BlockEnvironment): void {
  const world = new WorldState(ctx)
  if (tx.gasLimit > block.gasLimit)
    throw evmError.gasAboveBlock(`tx gas limit ${tx.gasLimit}, block's ${block.gasLimit}`)
  if (tx.maxFeePerGas < block.baseFee)
    throw evmError.feeCapTooLow(
      `address ${hexAddress(tx.sender)}, maxFeePerGas: ${tx.maxFeePerGas}, baseFee: ${block.baseFee}`,
    )
  const nonce = world.nonce(tx.sender)
  const told = `address ${hexAddress(tx.sender)}, tx: ${tx.nonce} state: ${nonce}`
  if (tx.nonce < nonce) throw evmError.nonceTooLow(told)
  if (tx.nonce > nonce) throw evmError.nonceTooHigh(told)
  const code = world.code(tx.sender)
  if (code.bytes.length > 0 && delegateOf(code) === undefined)
    throw evmError.senderIsContract(`address ${hexAddress(tx.sender)}`)
  const cost = tx.gasLimit * tx.maxFeePerGas + tx.value
  const balance = world.balance(tx.sender)
  if (balance < cost)
    throw evmError.insufficientFunds(`address ${hexAddress(tx.sender)} have ${balance} want ${cost}`)
}

/** A validator's own rule. Throws evm/28. */
export function checkPrice(tx: EthereumTx, baseFee: bigint, least: bigint): void {
  const price = effectiveGasPrice(tx, baseFee)
  if (price < least) throw evmError.underpriced(`gas price ${price}, this node's minimum ${least}`)
}

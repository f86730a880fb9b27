import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { toHex } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import type { ChainError } from '../../core/error.ts'
import type { TransactionResult } from '../../core/module.ts'
import { packAny } from '../../core/wire/registry.ts'
import { bloomOf } from './block/bloom.ts'
import { encodeReceipt } from './block/receipt.ts'
import { machine } from './chain-machine.ts'
import { environmentOf, hexAddress } from './environment.ts'
import { evmError } from './errors.ts'
import { returnFee, takeFee } from './fees.ts'
import { reasonOf } from './machine/revert-reason.ts'
import { progressOf, recordTx } from './records.ts'
import { type Applied, applyTransaction } from './transaction/apply.ts'
import { type EthereumTx, effectiveGasPrice } from './transaction/ethereum-tx.ts'
import { checkAgainstState, checkForm } from './validate.ts'
import { WorldState } from './world-state.ts'

/**
 * Runs a transaction in a block. What may not stand in one is refused by a throw, and leaves nothing; one that fails in
 * its execution has paid, and its nonce is used.
 */
export function runEthereumTx(ctx: Context, tx: EthereumTx): TransactionResult {
  const block = environmentOf(ctx)
  checkForm(tx)
  const before = progressOf(ctx)
  if (before.gasWanted + tx.gasLimit > block.gasLimit)
    throw evmError.gasAboveBlock(`${block.gasLimit - before.gasWanted} left, tx gas limit ${tx.gasLimit}`)
  checkAgainstState(ctx, tx, block)
  const gasPrice = effectiveGasPrice(tx, block.baseFee)
  const applied = applyTransaction(
    { ...tx, gasPrice },
    {
      machine: machine(),
      world: new WorldState(ctx, tx.sender),
      block,
      takeFee: (payer, amount) => takeFee(ctx, payer, amount),
      returnFee: (payer, amount) => returnFee(ctx, payer, amount),
      // It has it already.
      collectFee: () => {},
    },
  )
  const { outcome, gasUsed, logs, contract } = applied
  const receipt = encodeReceipt({
    type: tx.type,
    succeeded: outcome.error === undefined,
    cumulativeGasUsed: before.gasUsed + BigInt(gasUsed),
    logsBloom: bloomOf(logs),
    logs,
  })
  const { bytes, sender } = tx
  recordTx(
    ctx,
    tx.hash,
    { tx: bytes, sender, gasUsed: BigInt(gasUsed), gasPrice, contract, firstLog: before.logs, receipt },
    tx.gasLimit,
    logs.length,
  )
  emitEvents(ctx, tx, applied, before.txs)
  return resultOf(tx, applied)
}

function resultOf(tx: EthereumTx, { outcome, gasUsed, contract }: Applied): TransactionResult {
  const error = errorOf(outcome)
  const result = { gasUsed: BigInt(gasUsed) }
  if (error !== undefined) return { ...result, error }
  const response = {
    hash: `0x${toHex(tx.hash)}`,
    // A new contract's program is in the state.
    ret: contract === undefined ? outcome.output : new Uint8Array(0),
    vmError: '',
    gasUsed: BigInt(gasUsed),
  }
  const msgResponses = [packAny('cosmos.evm.vm.v1.MsgEthereumTxResponse', response)]
  return { ...result, data: TxMsgData.encode({ data: [], msgResponses }).finish() }
}

function errorOf({ error, output }: Applied['outcome']): ChainError | undefined {
  if (error === undefined) return undefined
  if (error !== 'revert') return evmError.vmExecution(error)
  const reason = reasonOf(output)
  return evmError.executionReverted(reason, { data: `0x${toHex(output)}` })
}

/** As cosmos/evm tells of a transaction. */
function emitEvents(ctx: Context, tx: EthereumTx, { outcome, gasUsed }: Applied, index: bigint): void {
  const attributes: Record<string, string> = {
    amount: tx.value.toString(),
    ethereumTxHash: `0x${toHex(tx.hash)}`,
    txIndex: index.toString(),
    txGasUsed: String(gasUsed),
  }
  if (tx.to !== undefined) attributes['recipient'] = hexAddress(tx.to)
  if (outcome.error !== undefined) attributes['ethereumTxFailed'] = outcome.error
  ctx.emit('ethereum_tx', attributes)
  ctx.emit('message', {
    action: '/cosmos.evm.vm.v1.MsgEthereumTx',
    module: 'evm',
    sender: hexAddress(tx.sender),
  })
}

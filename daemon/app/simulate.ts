import { Journal } from '../../core/journal.ts'
import { decodeTx } from '../../core/tx/decode.ts'
import type { App } from './app.ts'
import { runTx, type TxOutcome } from './execute.ts'

/** Runs a transaction on a copy of the mempool's state, without its signatures, and answers what it came to. */
export function simulate(app: App, bytes: Uint8Array): Promise<TxOutcome> {
  return runTx(app.execution, new Journal(app.checked), app.nextBlock, 'simulate', decodeTx(bytes))
}

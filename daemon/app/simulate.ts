import { sdk } from '../../core/error.ts'
import { Journal } from '../../core/journal.ts'
import { sdkTx } from './app-tx.ts'
import type { Chain } from './chain.ts'
import { runTx, SIMULATION_GAS, type TxOutcome } from './execute.ts'
import { pauses } from './pauses.ts'

/**
 * Runs a transaction above the mempool's state, without its signatures, and answers what it came to. Others have their
 * turn between its messages: what comes into the mempool meanwhile may show, what is committed does not.
 */
export async function simulate(chain: Chain, bytes: Uint8Array): Promise<TxOutcome> {
  const { store, execution, checked, nextBlock } = chain
  const tx = sdkTx(bytes)
  // A commit leaves these journals as they are; what they stand on is the past then, which must not be pruned.
  const release = store.height === 0 ? () => {} : store.hold(store.height)
  try {
    const outcome = await runTx(execution, new Journal(checked), nextBlock, 'simulate', tx, pauses())
    return outcome.gasUsed > SIMULATION_GAS ? { ...outcome, error: tooDear() } : outcome
  } finally {
    release()
  }
}

const tooDear = () =>
  sdk.outOfGas(`nodes simulate up to ${SIMULATION_GAS} gas, and this takes more: set the gas limit by hand`)

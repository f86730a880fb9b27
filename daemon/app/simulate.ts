import { SimulateRequest, SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { sdk } from '../../core/error.ts'
import { Journal } from '../../core/journal.ts'
import { decodeTx } from '../../core/tx/decode.ts'
import type { App } from './app.ts'
import { abciEvents } from './events.ts'
import { runTx, type TxOutcome } from './execute.ts'

/** Runs a transaction on a copy of the mempool's state, without its signatures, and answers what it came to. */
export function simulate(app: App, bytes: Uint8Array): Promise<TxOutcome> {
  return runTx(app.execution, new Journal(app.checked), app.nextBlock, 'simulate', decodeTx(bytes))
}

/** The gRPC method `cosmos.tx.v1beta1.Service/Simulate`. Throws what the transaction was refused with. */
export async function simulateQuery(app: App, data: Uint8Array): Promise<Uint8Array> {
  const { txBytes, tx } = SimulateRequest.decode(data)
  let bytes = txBytes
  if (bytes.length === 0) {
    if (tx?.body === undefined || tx.authInfo === undefined)
      throw sdk.invalidRequest('empty txBytes is not allowed')
    bytes = TxRaw.encode({
      bodyBytes: TxBody.encode(tx.body).finish(),
      authInfoBytes: AuthInfo.encode(tx.authInfo).finish(),
      signatures: tx.signatures,
    }).finish()
  }
  const outcome = await simulate(app, bytes)
  if (outcome.error !== undefined) throw outcome.error
  return SimulateResponse.encode(
    SimulateResponse.fromPartial({
      gasInfo: { gasWanted: outcome.gasWanted, gasUsed: outcome.gasUsed },
      result: { data: outcome.data, log: '', events: abciEvents(outcome.events), msgResponses: [] },
    }),
  ).finish()
}

import type { Context } from '../../core/context.ts'
import { sdk } from '../../core/error.ts'
import type { DecodedTx } from '../../core/tx/decode.ts'
import { params as authParams } from '../auth/api.ts'

const MAX_BYTES = 16 * 1024
const MAX_GAS = 1_000_000n

/** A transaction of one message with a proof of its own has nothing else in it. Throws sdk/18, sdk/21. */
export function checkSelfAuthenticatedForm({ body, authInfo, signatures, messages, bytes }: DecodedTx): void {
  const { fee, signerInfos, tip } = authInfo
  const isBare =
    messages.length === 1 &&
    signatures.length === 0 &&
    signerInfos.length === 0 &&
    tip === undefined &&
    fee !== undefined &&
    fee.amount.length === 0 &&
    fee.payer === '' &&
    fee.granter === '' &&
    body.memo === '' &&
    body.timeoutHeight === 0n &&
    body.timeoutTimestamp === undefined &&
    !body.unordered &&
    body.extensionOptions.length === 0 &&
    body.nonCriticalExtensionOptions.length === 0
  if (!isBare)
    throw sdk.invalidRequest(
      'a message with a signature of its own is alone, without fee, memo and signatures',
    )
  if (fee.gasLimit === 0n || fee.gasLimit > MAX_GAS)
    throw sdk.invalidRequest(`its gas limit is 1 to ${MAX_GAS}, got ${fee.gasLimit}`)
  if (bytes.length > MAX_BYTES) throw sdk.txTooLarge(`${bytes.length} bytes, at most ${MAX_BYTES}`)
}

/** What stands before such a message: gas for its size, and its own proof. */
export function runSelfAuthenticatedAnte(ctx: Context, tx: DecodedTx, authenticate: () => void): void {
  ctx.gas.consume(authParams(ctx).txSizeCostPerByte * BigInt(tx.bytes.length), 'txSize')
  authenticate()
}

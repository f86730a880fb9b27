import { equalBytes } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { sdk } from '../../core/error.ts'
import { SELF_AUTHENTICATED_GAS, selfAuthenticatedTx } from '../../core/tx/build.ts'
import type { DecodedTx } from '../../core/tx/decode.ts'
import { nameOfUrl, packAny } from '../../core/wire/registry.ts'
import { params as authParams } from '../auth/api.ts'

const MAX_BYTES = 4 * 1024

/**
 * A transaction of one message with a proof of its own has nothing else in it, and one encoding: nobody can make another
 * transaction of somebody's message, such as one with too little gas. Throws sdk/18, sdk/21.
 */
export function checkSelfAuthenticatedForm({ authInfo, messages, bytes }: DecodedTx): void {
  if (bytes.length > MAX_BYTES) throw sdk.txTooLarge(`${bytes.length} bytes, at most ${MAX_BYTES}`)
  const [{ typeUrl, value }] = messages as [DecodedTx['messages'][number]]
  if (!equalBytes(bytes, selfAuthenticatedTx(packAny(nameOfUrl(typeUrl), value))))
    throw sdk.invalidRequest(
      `a message with a signature of its own is alone in its transaction, in canonical form, without fee, memo and signatures, with a gas limit of ${SELF_AUTHENTICATED_GAS}, not ${authInfo.fee?.gasLimit ?? 0n}`,
    )
}

/** The ante of such a message: gas for its size and its proof, and the proof. */
export function runSelfAuthenticatedAnte(ctx: Context, tx: DecodedTx, authenticate: () => void): void {
  const { txSizeCostPerByte, sigVerifyCostEd25519 } = authParams(ctx)
  ctx.gas.consume(txSizeCostPerByte * BigInt(tx.bytes.length), 'txSize')
  ctx.gas.consume(sigVerifyCostEd25519, 'ante verify: ed25519')
  authenticate()
}

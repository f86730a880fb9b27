import type { TransactionForm } from '../../core/module.ts'
import { type DecodedTx, decodeTx } from '../../core/tx/decode.ts'
import type { Router } from './router.ts'

interface TxBase {
  readonly bytes: Uint8Array
  readonly gasWanted: bigint
}

/** A transaction of the SDK's form: messages, a fee, signatures. */
export interface SdkTx extends TxBase {
  readonly form: undefined
  readonly tx: DecodedTx
}

/** A transaction of a form that a module has. */
export interface FormTx extends TxBase {
  readonly form: TransactionForm<unknown>
  readonly tx: unknown
}

export type AppTx = SdkTx | FormTx

/** Decodes a transaction of whichever form its bytes are meant as. Throws ChainErrors. */
export function decodeAppTx({ transactions: form }: Pick<Router, 'transactions'>, bytes: Uint8Array): AppTx {
  if (form?.isMeant(bytes)) {
    const tx = form.decode(bytes)
    return { form, tx, bytes, gasWanted: form.gasWanted(tx) }
  }
  return sdkTx(bytes)
}

/** Decodes a transaction of the SDK's form. Throws ChainErrors. */
export function sdkTx(bytes: Uint8Array): SdkTx {
  const tx = decodeTx(bytes)
  return { form: undefined, tx, bytes, gasWanted: tx.authInfo.fee?.gasLimit ?? 0n }
}

import type { Address } from '../../core/address.ts'
import { type Key, keyOf } from '../../core/remembered.ts'
import type { DecodedTx } from '../../core/tx/decode.ts'

/** What a verified signature is remembered by: all that it depends on but the chain's name. */
export const signatureId = (tx: DecodedTx, signer: Address, accountNumber: bigint, sequence: bigint): Key =>
  keyOf(tx.hash, signer, accountNumber, sequence)

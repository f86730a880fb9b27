import { SignDoc, type TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { utf8 } from '../bytes.ts'
import { sdk } from '../error.ts'
import { beside } from '../remembered.ts'
import { formatTimestamp } from '../time.ts'
import { aminoAny, canonicalJson } from '../wire/amino.ts'
import type { Json } from '../wire/json.ts'
import { rejectUnknownFields } from '../wire/unknown-fields.ts'
import type { DecodedTx } from './decode.ts'

export interface SignerData {
  readonly chainId: string
  readonly accountNumber: bigint
  readonly sequence: bigint
}

/** The messages' JSON, which all signers of a transaction sign, each of a multisig's members too. */
const messagesText = beside<TxBody, string>()

type Signable = Pick<DecodedTx, 'bodyBytes' | 'authInfoBytes' | 'body' | 'authInfo'>

/** SIGN_MODE_DIRECT: the SignDoc's protobuf bytes. */
export function directSignBytes(tx: Signable, signer: SignerData): Uint8Array {
  return SignDoc.encode({
    bodyBytes: tx.bodyBytes,
    authInfoBytes: tx.authInfoBytes,
    chainId: signer.chainId,
    accountNumber: signer.accountNumber,
  }).finish()
}

/** SIGN_MODE_LEGACY_AMINO_JSON: the sorted JSON. Throws sdk/18 for what that mode cannot say. */
export function aminoSignBytes(tx: Signable, signer: SignerData): Uint8Array {
  rejectUnknownFields('cosmos.tx.v1beta1.TxBody', tx.bodyBytes, false)
  const { body, authInfo } = tx
  if (body.extensionOptions.length > 0 || body.nonCriticalExtensionOptions.length > 0)
    throw sdk.invalidRequest('SIGN_MODE_LEGACY_AMINO_JSON does not support protobuf extension options')
  if (authInfo.fee === undefined) throw sdk.invalidRequest('fee cannot be nil')
  const fee: { [key: string]: Json } = {
    amount: authInfo.fee.amount.map(({ denom, amount }) => ({ denom, amount })),
    gas: authInfo.fee.gasLimit.toString(),
  }
  if (authInfo.fee.payer !== '') fee['payer'] = authInfo.fee.payer
  if (authInfo.fee.granter !== '') fee['granter'] = authInfo.fee.granter
  const before = {
    account_number: signer.accountNumber.toString(),
    chain_id: signer.chainId,
    fee,
    memo: body.memo,
  }
  const behind: { [key: string]: Json } = { sequence: signer.sequence.toString() }
  if (body.timeoutHeight !== 0n) behind['timeout_height'] = body.timeoutHeight.toString()
  if (body.unordered) behind['unordered'] = true
  if (body.timeoutTimestamp !== undefined)
    behind['timeout_timestamp'] = formatTimestamp(body.timeoutTimestamp, true)
  const msgs = messagesText.get(body) ?? messagesText.set(body, canonicalJson(body.messages.map(aminoAny)))
  return utf8(`${canonicalJson(before).slice(0, -1)},"msgs":${msgs},${canonicalJson(behind).slice(1)}`)
}

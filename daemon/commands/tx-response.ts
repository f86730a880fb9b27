import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { type Json, toJson } from '../../core/wire/json.ts'
import type { TxJson } from '../client/rpc.ts'
import type { Draft } from '../client/sign.ts'

/** The SDK's JSON of a transaction. */
export const txJson = (draft: Draft): Json => toJson('cosmos.tx.v1beta1.Tx', draft)

/** A transaction of a block in the form of the SDK's TxResponse. */
export function txResponse({ hash, height, tx_result: result, tx }: TxJson): { [key: string]: Json } {
  const { bodyBytes, authInfoBytes, signatures } = TxRaw.decode(Buffer.from(tx, 'base64'))
  return {
    height,
    txhash: hash,
    codespace: result.codespace,
    code: result.code,
    data: Buffer.from(result.data ?? '', 'base64')
      .toString('hex')
      .toUpperCase(),
    raw_log: result.log,
    info: result.info,
    gas_wanted: result.gas_wanted,
    gas_used: result.gas_used,
    tx: {
      '@type': '/cosmos.tx.v1beta1.Tx',
      ...toJson('cosmos.tx.v1beta1.Tx', {
        body: TxBody.decode(bodyBytes),
        authInfo: AuthInfo.decode(authInfoBytes),
        signatures,
      }),
    },
    events: (result.events ?? []).map(({ type, attributes }) => ({
      type,
      attributes: (attributes ?? []).map(({ key, value, index }) => ({ key, value, index: index ?? false })),
    })),
  }
}

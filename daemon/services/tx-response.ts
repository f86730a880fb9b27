import type { TxResponse } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { AuthInfo, Tx, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { fromBase64, sha256, toHex } from '../../core/bytes.ts'
import { ChainError, sdk } from '../../core/error.ts'
import { beside, keyOf, type Memory, memory } from '../../core/remembered.ts'
import { formatTimestamp, parseTimestamp } from '../../core/time.ts'
import type { BroadcastSync, CometRpc, TxJson } from '../client/rpc.ts'
import { refusals } from './service.ts'
import { TxParts } from './tx-parts.ts'

const TX_TOO_LARGE = sdk.txTooLarge().code

/** Throws sdk/2, sdk/21. Says nothing of whether the chain would take the transaction. */
export function readTx(bytes: Uint8Array, parts = new TxParts()): Tx {
  try {
    const raw = TxRaw.decode(bytes)
    parts.take(raw)
    const { bodyBytes, authInfoBytes, signatures } = raw
    return { body: TxBody.decode(bodyBytes), authInfo: AuthInfo.decode(authInfoBytes), signatures }
  } catch (error) {
    if (error instanceof ChainError) throw error
    throw sdk.txDecode('malformed transaction')
  }
}

const base64ToHex = (text: string | null): string => toHex(fromBase64(text ?? '')).toUpperCase()

/** Transactions of blocks for one answer. Of one that is too much for it nothing is shown: it must not spoil the list. */
export function readBlockTxs(all: readonly Uint8Array[]): Tx[] {
  const parts = new TxParts()
  return all.map((bytes) => {
    try {
      return readTx(bytes, parts)
    } catch (error) {
      if (!(error instanceof ChainError) || error.code !== TX_TOO_LARGE) throw error
      return Tx.fromPartial({ body: {}, authInfo: {} })
    }
  })
}

/** A transaction of a block as the SDK shows it; `time` is the block's, RFC 3339. */
export function txResponse({ hash, height, tx_result: result }: TxJson, time: string, tx: Tx): TxResponse {
  return {
    height: BigInt(height),
    txhash: hash,
    codespace: result.codespace,
    code: result.code,
    data: base64ToHex(result.data),
    rawLog: result.log,
    logs: [],
    info: result.info,
    gasWanted: BigInt(result.gas_wanted),
    gasUsed: BigInt(result.gas_used),
    tx: { typeUrl: Tx.typeUrl, value: Tx.encode(tx).finish() },
    timestamp: formatTimestamp({ seconds: parseTimestamp(time).seconds, nanos: 0 }),
    events: (result.events ?? []).map(({ type, attributes }) => ({
      type,
      attributes: (attributes ?? []).map(({ key, value, index }) => ({ key, value, index: index ?? false })),
    })),
  }
}

/** The answer of CheckTx; its data are hexadecimal in CometBFT's answer already, unlike those of a transaction's result. */
export const checkResponse = (check: BroadcastSync): TxResponse => ({
  height: 0n,
  txhash: check.hash,
  codespace: check.codespace,
  code: check.code,
  data: check.data,
  rawLog: check.log,
  logs: [],
  info: '',
  gasWanted: 0n,
  gasUsed: 0n,
  timestamp: '',
  events: [],
})

/** Codes of transactions that CometBFT's mempool refuses by itself: in its cache, no room, too large. */
const OF_MEMPOOL = [19, 20, 21]

/** The answer of CheckTx, or of CometBFT's mempool before it, as the SDK's `CheckCometError` words that. */
export async function broadcastResponse(rpc: CometRpc, tx: Uint8Array): Promise<TxResponse> {
  try {
    return checkResponse(await refusals(rpc.broadcastTxSync(tx)))
  } catch (error) {
    if (!(error instanceof ChainError) || error.codespace !== 'sdk' || !OF_MEMPOOL.includes(error.code))
      throw error
    const { codespace, code, message } = error
    return checkResponse({ codespace, code, log: message, data: '', hash: toHex(sha256(tx)).toUpperCase() })
  }
}

const timesByHeight = beside<CometRpc, Memory<string>>()
const REMEMBERED_BYTES = 4_000_000

/** The times of the blocks that transactions are in. A block is asked for once, and then remembered for a while. */
export async function blockTimes(
  rpc: CometRpc,
  txs: readonly TxJson[],
): Promise<ReadonlyMap<string, string>> {
  const remembered =
    timesByHeight.get(rpc) ??
    timesByHeight.set(
      rpc,
      memory(REMEMBERED_BYTES, (time) => time.length),
    )
  const times = new Map<string, string>()
  for (const { height } of txs) {
    if (times.has(height)) continue
    const key = keyOf(height)
    const time =
      remembered.get(key) ??
      remembered.set(key, (await refusals(rpc.block(BigInt(height)))).block.header.time)
    times.set(height, time)
  }
  return times
}

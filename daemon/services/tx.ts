import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import * as types from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { BroadcastMode, type GetTxsEventRequest, OrderBy } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { AuthInfo, type Tx, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { fromBase64, fromHex, NO_BYTES } from '../../core/bytes.ts'
import { sdk } from '../../core/error.ts'
import { abciEvents } from '../app/events.ts'
import { simulate } from '../app/simulate.ts'
import { blockId } from './block-id.ts'
import { protoBlock } from './block-proto.ts'
import { nodeQueries, refusals, requireHeight } from './service.ts'
import { blockTimes, broadcastResponse, readBlockTxs, readTx, txResponse } from './tx-response.ts'

/** As many as CometBFT gives in a page. */
const MAX_PAGE = 100n
const MAX_NUMBER = 1_000_000_000n

function rawTx(tx: Tx | undefined): Uint8Array {
  if (tx?.body === undefined || tx.authInfo === undefined)
    throw sdk.invalidRequest('empty txBytes is not allowed')
  return TxRaw.encode({
    bodyBytes: TxBody.encode(tx.body).finish(),
    authInfoBytes: AuthInfo.encode(tx.authInfo).finish(),
    signatures: tx.signatures,
  }).finish()
}

/** Page and size from `page` and `limit`, or of older clients from `pagination`. */
function pageOf({ page, limit, pagination }: GetTxsEventRequest): { page: number; perPage: number } {
  const size = limit || pagination?.limit || MAX_PAGE
  const perPage = size > MAX_PAGE ? MAX_PAGE : size
  const number = page || (pagination?.offset ?? 0n) / perPage + 1n
  if (number > MAX_NUMBER) throw sdk.invalidRequest('page is too large')
  return { page: Number(number), perPage: Number(perPage) }
}

const SORT = { [OrderBy.ORDER_BY_DESC]: true } as Readonly<Record<number, boolean>>

export const txService = nodeQueries<types.Service>(
  'cosmos.tx.v1beta1.Service',
  types,
  {
    async Simulate({ chain }, { tx, txBytes }) {
      const outcome = await simulate(chain, txBytes.length > 0 ? txBytes : rawTx(tx))
      if (outcome.error !== undefined) throw outcome.error
      const { gasWanted, gasUsed, data, events } = outcome
      return {
        gasInfo: { gasWanted, gasUsed },
        result: {
          data,
          log: '',
          events: abciEvents(events),
          msgResponses: TxMsgData.decode(data).msgResponses,
        },
      }
    },
    async GetTx({ rpc }, { hash }) {
      if (!/^(?:0x)?[0-9a-fA-F]{64}$/.test(hash))
        throw sdk.invalidRequest('hash must be 64 hexadecimal digits')
      const found = await refusals(rpc.tx(fromHex(hash.replace(/^0x/, ''))))
      const times = await blockTimes(rpc, [found])
      const tx = readBlockTxs([fromBase64(found.tx)])[0]!
      return { tx, txResponse: txResponse(found, times.get(found.height)!, tx) }
    },
    async GetTxsEvent({ rpc }, request) {
      const query = request.query || request.events.join(' AND ')
      if (query === '') throw sdk.invalidRequest('query cannot be empty')
      const descending = SORT[request.orderBy] ?? false
      const page = await refusals(rpc.txSearch(query, { ...pageOf(request), descending }))
      const times = await blockTimes(rpc, page.txs)
      const txs = readBlockTxs(page.txs.map(({ tx }) => fromBase64(tx)))
      return {
        txs,
        txResponses: page.txs.map((found, i) => txResponse(found, times.get(found.height)!, txs[i]!)),
        total: BigInt(page.total_count),
      }
    },
    async BroadcastTx({ rpc }, { txBytes, mode }) {
      if (txBytes.length === 0) throw sdk.invalidRequest('invalid empty tx')
      if (mode !== BroadcastMode.BROADCAST_MODE_SYNC && mode !== BroadcastMode.BROADCAST_MODE_ASYNC)
        throw sdk.invalidRequest(
          'unsupported broadcast mode; supported modes are BROADCAST_MODE_SYNC and BROADCAST_MODE_ASYNC',
        )
      return { txResponse: await broadcastResponse(rpc, txBytes) }
    },
    async GetBlockWithTxs(node, { height, pagination }) {
      const json = await refusals(node.rpc.block(await requireHeight(node, height)))
      const block = protoBlock(json)
      const all = block.data.txs
      const { offset = 0n, limit = 0n } = pagination ?? {}
      const size = limit === 0n || limit > MAX_PAGE ? MAX_PAGE : limit
      if (offset > 0n && offset >= BigInt(all.length))
        throw sdk.invalidRequest(`offset is ${offset} and the block has ${all.length} transactions`)
      const picked = all.slice(Number(offset), Number(offset + size))
      return {
        txs: readBlockTxs(picked),
        blockId: blockId(json.block_id),
        block,
        pagination: { nextKey: NO_BYTES, total: BigInt(all.length) },
      }
    },
    TxDecode: (_, { txBytes }) => ({ tx: readTx(txBytes) }),
    TxEncode: (_, { tx }) => ({ txBytes: rawTx(tx) }),
  },
  { Simulate: 'near', TxDecode: 'near', TxEncode: 'near', BroadcastTx: 'none' },
)

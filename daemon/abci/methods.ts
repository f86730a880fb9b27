import {
  RequestApplySnapshotChunk,
  RequestCommit,
  RequestExtendVote,
  RequestFinalizeBlock,
  RequestInfo,
  RequestInitChain,
  RequestListSnapshots,
  RequestLoadSnapshotChunk,
  RequestOfferSnapshot,
  RequestPrepareProposal,
  RequestProcessProposal,
  RequestQuery,
  RequestVerifyVoteExtension,
  ResponseApplySnapshotChunk,
  ResponseApplySnapshotChunk_Result,
  ResponseCheckTx,
  ResponseCommit,
  ResponseExtendVote,
  ResponseFinalizeBlock,
  ResponseInfo,
  ResponseInitChain,
  ResponseListSnapshots,
  ResponseLoadSnapshotChunk,
  ResponseOfferSnapshot,
  ResponseOfferSnapshot_Result,
  ResponsePrepareProposal,
  ResponseProcessProposal,
  ResponseQuery,
  ResponseVerifyVoteExtension,
} from 'cosmjs-types/tendermint/abci/types'
import { requestInsertTx, requestReapTxs, responseInsertTx, responseReapTxs } from './app-mempool.ts'
import { decodeCheckTx, encodeCheckTx } from './check-tx-codec.ts'
import { encodeFinalizeBlock } from './finalize-block-codec.ts'
import type { AbciHandler, Reply } from './handler.ts'

/** ABCI's own names of the calls that reach the application. */
export type MethodName =
  | 'Info'
  | 'InitChain'
  | 'Query'
  | 'CheckTx'
  | 'Commit'
  | 'ListSnapshots'
  | 'OfferSnapshot'
  | 'LoadSnapshotChunk'
  | 'ApplySnapshotChunk'
  | 'PrepareProposal'
  | 'ProcessProposal'
  | 'ExtendVote'
  | 'VerifyVoteExtension'
  | 'FinalizeBlock'
  | 'InsertTx'
  | 'ReapTxs'

/** One row of the table below: everything the server knows of a call. */
export interface Method<Q, S> {
  readonly name: MethodName
  /** Field in `tendermint.abci.Request`. */
  readonly requestField: number
  /** Field in `tendermint.abci.Response`. */
  readonly responseField: number
  /** The call never overlaps another exclusive one. */
  readonly exclusive: boolean
  /** A call of the mempool's: it is not begun while an exclusive one is under way. */
  readonly mempool: boolean
  decode(body: Uint8Array): Q
  call(handler: AbciHandler, request: Q): Reply<S>
  encode(response: S): Uint8Array
  /** The peer's answer when the application throws; absent where no answer is better than a wrong one. */
  readonly onError?: S
}

interface Encoder<S> {
  encode(message: S): { finish(): Uint8Array }
}

function method<Q, S>(
  name: MethodName,
  [requestField, responseField]: readonly [number, number],
  request: { decode(body: Uint8Array): Q },
  response: Encoder<S>,
  call: (handler: AbciHandler, request: Q) => Reply<S>,
  {
    exclusive = false,
    mempool = false,
    onError,
  }: { exclusive?: boolean; mempool?: boolean; onError?: S } = {},
): Method<Q, S> {
  return {
    name,
    requestField,
    responseField,
    exclusive,
    mempool,
    decode: (body) => request.decode(body),
    call,
    encode: (message) => response.encode(message).finish(),
    ...(onError === undefined ? {} : { onError }),
  }
}

const internalError = { code: 1, codespace: 'sdk', log: 'internal error' }
const noBytes = new Uint8Array(0)

const checkTx: Method<ReturnType<typeof decodeCheckTx>, ResponseCheckTx> = {
  name: 'CheckTx',
  requestField: 8,
  responseField: 9,
  exclusive: false,
  mempool: true,
  decode: decodeCheckTx,
  call: (handler, request) => handler.checkTx(request),
  encode: encodeCheckTx,
  onError: ResponseCheckTx.fromPartial(internalError),
}

const list: readonly Method<unknown, unknown>[] = [
  checkTx,
  method('Info', [3, 4], RequestInfo, ResponseInfo, (h, q) => h.info(q)),
  method('Query', [6, 7], RequestQuery, ResponseQuery, (h, q) => h.query(q), {
    onError: ResponseQuery.fromPartial(internalError),
  }),
  method('InitChain', [5, 6], RequestInitChain, ResponseInitChain, (h, q) => h.initChain(q), {
    exclusive: true,
  }),
  method(
    'PrepareProposal',
    [16, 17],
    RequestPrepareProposal,
    ResponsePrepareProposal,
    (h, q) => h.prepareProposal(q),
    { exclusive: true },
  ),
  method(
    'ProcessProposal',
    [17, 18],
    RequestProcessProposal,
    ResponseProcessProposal,
    (h, q) => h.processProposal(q),
    { exclusive: true },
  ),
  method('ExtendVote', [18, 19], RequestExtendVote, ResponseExtendVote, (h, q) => h.extendVote(q), {
    exclusive: true,
  }),
  method(
    'VerifyVoteExtension',
    [19, 20],
    RequestVerifyVoteExtension,
    ResponseVerifyVoteExtension,
    (h, q) => h.verifyVoteExtension(q),
    { exclusive: true },
  ),
  {
    ...method(
      'FinalizeBlock',
      [20, 21],
      RequestFinalizeBlock,
      ResponseFinalizeBlock,
      (h, q) => h.finalizeBlock(q),
      { exclusive: true },
    ),
    encode: (response) => encodeFinalizeBlock(response as ResponseFinalizeBlock),
  },
  method('Commit', [11, 12], RequestCommit, ResponseCommit, (h) => h.commit(), { exclusive: true }),
  method('ListSnapshots', [12, 13], RequestListSnapshots, ResponseListSnapshots, (h) => h.listSnapshots(), {
    onError: { snapshots: [] },
  }),
  method(
    'OfferSnapshot',
    [13, 14],
    RequestOfferSnapshot,
    ResponseOfferSnapshot,
    (h, q) => h.offerSnapshot(q),
    { onError: { result: ResponseOfferSnapshot_Result.ABORT } },
  ),
  method(
    'LoadSnapshotChunk',
    [14, 15],
    RequestLoadSnapshotChunk,
    ResponseLoadSnapshotChunk,
    (h, q) => h.loadSnapshotChunk(q),
    { onError: { chunk: noBytes } },
  ),
  method(
    'ApplySnapshotChunk',
    [15, 16],
    RequestApplySnapshotChunk,
    ResponseApplySnapshotChunk,
    (h, q) => h.applySnapshotChunk(q),
    { onError: { result: ResponseApplySnapshotChunk_Result.ABORT, refetchChunks: [], rejectSenders: [] } },
  ),
  method('InsertTx', [21, 22], requestInsertTx, responseInsertTx, (h, q) => h.insertTx?.(q) ?? { code: 1 }, {
    mempool: true,
    onError: { code: 1 },
  }),
  method('ReapTxs', [22, 23], requestReapTxs, responseReapTxs, (h, q) => h.reapTxs?.(q) ?? { txs: [] }, {
    mempool: true,
    onError: { txs: [] },
  }),
]

/** The calls by their field in `tendermint.abci.Request`. */
export const methods: ReadonlyMap<number, Method<unknown, unknown>> = new Map(
  list.map((entry) => [entry.requestField, entry]),
)

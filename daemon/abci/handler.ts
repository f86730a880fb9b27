import type {
  RequestApplySnapshotChunk,
  RequestCheckTx,
  RequestExtendVote,
  RequestFinalizeBlock,
  RequestInfo,
  RequestInitChain,
  RequestLoadSnapshotChunk,
  RequestOfferSnapshot,
  RequestPrepareProposal,
  RequestProcessProposal,
  RequestQuery,
  RequestVerifyVoteExtension,
  ResponseApplySnapshotChunk,
  ResponseCheckTx,
  ResponseCommit,
  ResponseExtendVote,
  ResponseFinalizeBlock,
  ResponseInfo,
  ResponseInitChain,
  ResponseListSnapshots,
  ResponseLoadSnapshotChunk,
  ResponseOfferSnapshot,
  ResponsePrepareProposal,
  ResponseProcessProposal,
  ResponseQuery,
  ResponseVerifyVoteExtension,
} from 'cosmjs-types/tendermint/abci/types'

/** CometBFT 0.39 and later, with `mempool.type = "app"` only. */
export interface RequestInsertTx {
  tx: Uint8Array
}

/** `code` 0 means that the transaction was taken. */
export interface ResponseInsertTx {
  code: number
}

/** CometBFT 0.39 and later, with `mempool.type = "app"` only. 0 means no limit. */
export interface RequestReapTxs {
  maxBytes: bigint
  maxGas: bigint
}

export interface ResponseReapTxs {
  txs: Uint8Array[]
}

/** An answer, at once or later. An answer at once costs no promise. */
export type Reply<T> = T | Promise<T>

/**
 * The application. Echo and Flush are the server's own.
 *
 * The calls from `initChain` to `commit` never overlap one another, whichever connection they come from; the
 * others may run while one of them is awaited. A throw (or rejection) means
 * - in `info` and from `initChain` to `commit`: `onFatal` is called and no connection gets another answer;
 * - in `query`, `checkTx`, `insertTx`: the peer gets code 1, codespace "sdk" and the log "internal error";
 * - in `offerSnapshot`, `applySnapshotChunk`: ABORT; in `listSnapshots`, `loadSnapshotChunk`, `reapTxs`: nothing
 *   is offered.
 */
export interface AbciHandler {
  info(request: RequestInfo): Reply<ResponseInfo>
  query(request: RequestQuery): Reply<ResponseQuery>
  checkTx(request: RequestCheckTx): Reply<ResponseCheckTx>

  initChain(request: RequestInitChain): Reply<ResponseInitChain>
  prepareProposal(request: RequestPrepareProposal): Reply<ResponsePrepareProposal>
  processProposal(request: RequestProcessProposal): Reply<ResponseProcessProposal>
  extendVote(request: RequestExtendVote): Reply<ResponseExtendVote>
  verifyVoteExtension(request: RequestVerifyVoteExtension): Reply<ResponseVerifyVoteExtension>
  finalizeBlock(request: RequestFinalizeBlock): Reply<ResponseFinalizeBlock>
  commit(): Reply<ResponseCommit>

  listSnapshots(): Reply<ResponseListSnapshots>
  offerSnapshot(request: RequestOfferSnapshot): Reply<ResponseOfferSnapshot>
  loadSnapshotChunk(request: RequestLoadSnapshotChunk): Reply<ResponseLoadSnapshotChunk>
  applySnapshotChunk(request: RequestApplySnapshotChunk): Reply<ResponseApplySnapshotChunk>

  /** Without it every transaction is refused with code 1. */
  insertTx?(request: RequestInsertTx): Reply<ResponseInsertTx>
  /** Without it there is never a transaction to reap. */
  reapTxs?(request: RequestReapTxs): Reply<ResponseReapTxs>
}

/** The server's logger; a pino logger fits. */
export interface AbciLog {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

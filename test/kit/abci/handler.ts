import {
  ResponseApplySnapshotChunk_Result,
  ResponseCheckTx,
  ResponseFinalizeBlock,
  ResponseOfferSnapshot_Result,
  ResponseProcessProposal_ProposalStatus,
  ResponseQuery,
  ResponseVerifyVoteExtension_VerifyStatus,
} from 'cosmjs-types/tendermint/abci/types'
import type { AbciHandler, AbciLog } from '../../../daemon/abci/handler.ts'

/** An application that accepts everything, keeps only the committed height, and whose calls `overrides` replaces. */
export function acceptingHandler(overrides: Partial<AbciHandler> = {}): AbciHandler {
  let height = 0n
  let decided = 0n
  const appHashOf = (h: bigint) => new Uint8Array(8).fill(Number(h % 256n))
  return {
    info: () => ({
      data: 'accepting',
      version: '0',
      appVersion: 1n,
      lastBlockHeight: height,
      lastBlockAppHash: height === 0n ? new Uint8Array(0) : appHashOf(height),
    }),
    query: (request) => ResponseQuery.fromPartial({ key: request.data, value: request.data, height }),
    checkTx: (request) => ResponseCheckTx.fromPartial({ gasWanted: BigInt(request.tx.length) }),
    initChain: () => ({ validators: [], appHash: new Uint8Array(0) }),
    prepareProposal: (request) => ({ txs: request.txs }),
    processProposal: () => ({ status: ResponseProcessProposal_ProposalStatus.ACCEPT }),
    extendVote: () => ({ voteExtension: new Uint8Array(0) }),
    verifyVoteExtension: () => ({ status: ResponseVerifyVoteExtension_VerifyStatus.ACCEPT }),
    finalizeBlock: (request) => {
      decided = request.height
      const txResults = request.txs.map(() => ({}))
      return ResponseFinalizeBlock.fromPartial({ txResults, appHash: appHashOf(decided) })
    },
    commit: () => {
      height = decided
      return { retainHeight: 0n }
    },
    listSnapshots: () => ({ snapshots: [] }),
    offerSnapshot: () => ({ result: ResponseOfferSnapshot_Result.REJECT }),
    loadSnapshotChunk: () => ({ chunk: new Uint8Array(0) }),
    applySnapshotChunk: () => ({
      result: ResponseApplySnapshotChunk_Result.ACCEPT,
      refetchChunks: [],
      rejectSenders: [],
    }),
    ...overrides,
  }
}

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly fields: object
  readonly message: string
}

/** A log that keeps its lines. */
export function recordingLog(): AbciLog & { readonly lines: LogLine[] } {
  const lines: LogLine[] = []
  const at = (level: LogLine['level']) => (fields: object, message: string) => {
    lines.push({ level, fields, message })
  }
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

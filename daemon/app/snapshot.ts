import {
  ResponseApplySnapshotChunk_Result as ChunkResult,
  ResponseOfferSnapshot_Result as OfferResult,
  type ResponseApplySnapshotChunk,
  type ResponseListSnapshots,
  type ResponseLoadSnapshotChunk,
  type ResponseOfferSnapshot,
} from 'cosmjs-types/tendermint/abci/types'
import { NO_BYTES } from '../../core/bytes.ts'

/** State sync: the node has no snapshots to give and takes none. */
export const listSnapshots = (): ResponseListSnapshots => ({ snapshots: [] })

export const loadSnapshotChunk = (): ResponseLoadSnapshotChunk => ({ chunk: NO_BYTES })

export const offerSnapshot = (): ResponseOfferSnapshot => ({ result: OfferResult.REJECT })

export const applySnapshotChunk = (): ResponseApplySnapshotChunk => ({
  result: ChunkResult.ABORT,
  refetchChunks: [],
  rejectSenders: [],
})

import type * as abci from 'cosmjs-types/tendermint/abci/types'
import type { ConsensusParams } from 'cosmjs-types/tendermint/types/params'
import type { Address } from '../../core/address.ts'
import type { Block } from '../../core/context.ts'
import { Journal } from '../../core/journal.ts'
import type { Module } from '../../core/module.ts'
import { type Memory, memory } from '../../core/remembered.ts'
import type { GasPrice } from '../../modules/ante/api.ts'
import type { AbciHandler } from '../abci/handler.ts'
import type { Store } from '../store/store.ts'
import { BLOCK_META_KEY, type BlockMeta, decodeBlockMeta } from './block-meta.ts'
import { checkTx } from './check.ts'
import { commit } from './commit.ts'
import type { Execution } from './execute.ts'
import { extendVote, type Observer, verifyVoteExtension } from './extend.ts'
import { finalizeBlock, type Pending } from './finalize.ts'
import { type Halt, Rejoining, readHalt } from './halt.ts'
import { initChain } from './init-chain.ts'
import { createMessageRouter } from './message-router.ts'
import { prepareProposal, processProposal } from './propose.ts'
import { query } from './query.ts'
import { createRouter, type Router, type ServiceMethod } from './router.ts'
import { TxCache } from './tx-cache.ts'

export interface AppLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface AppOptions {
  readonly store: Store
  readonly modules: readonly Module[]
  readonly version: string
  readonly minimumGasPrices: readonly GasPrice[]
  readonly log: AppLog
  readonly observer?: Observer
  /** Of the node's genesis file. Where given, a chain of another id is not begun. */
  readonly chainId?: string
}

const NO_BYTES = new Uint8Array(0)

/**
 * The chain's state machine behind ABCI. Three states: *committed* (in the store; queries and proofs speak of it
 * alone), *working* (committed plus blocks whose commit is withheld, in memory), *pending* (a block between
 * FinalizeBlock and Commit). Each ABCI method has a file of its own.
 */
export class App implements AbciHandler {
  readonly store: Store
  readonly router: Router
  readonly version: string
  readonly log: AppLog
  readonly txs = new TxCache()
  /** By key, signed bytes and signature: the last blocks' vote extensions that verified. */
  readonly verifiedExtensions: Memory<true> = memory(4 * 1024 * 1024, () => 0)
  readonly observer: Observer | undefined
  readonly chainId: string | undefined
  /** What this node made of the state after a height, for its next vote. */
  observation: { readonly height: bigint; readonly extension: Uint8Array } | undefined
  /** The node's own gRPC methods by path, asked where no module has the path. Filled by daemon/services. */
  readonly services = new Map<string, ServiceMethod>()
  readonly execution: Execution
  /** Withheld blocks' writes over the committed state; empty but for a streak of degraded rounds and for genesis. */
  readonly working: Journal
  /** What CheckTx sees: working state plus the transactions that passed. */
  readonly checked: Journal
  workingHeight: number
  pending: Pending | undefined
  halt: Halt
  readonly rejoining = new Rejoining()
  /** What CometBFT goes by since the last committed block. */
  toldParams: ConsensusParams | undefined
  /** The last committed block; before the first, what InitChain said. */
  lastBlock: BlockMeta

  constructor({ store, modules, version, minimumGasPrices, log, observer, chainId }: AppOptions) {
    this.store = store
    this.router = createRouter(modules)
    this.version = version
    this.log = log
    this.observer = observer
    this.chainId = chainId
    const onInternalError = (error: unknown): void =>
      log.error({ err: error }, 'a transaction raised an internal error')
    this.execution = {
      router: this.router,
      messages: createMessageRouter(this.router, onInternalError),
      ante: { minimumGasPrices, verified: memory(64 * 1024 * 1024, () => 0) },
      onInternalError,
    }
    this.working = new Journal(store.latest)
    this.checked = new Journal(this.working)
    this.workingHeight = store.height
    this.halt = readHalt(store)
    const meta = store.local.get(BLOCK_META_KEY)
    this.lastBlock =
      meta === undefined
        ? {
            chainId: '',
            initialHeight: 1n,
            height: 0n,
            timeNs: 0n,
            hash: NO_BYTES,
            proposer: NO_BYTES as Address,
          }
        : decodeBlockMeta(meta)
  }

  /** The last committed block as an execution sees it. */
  get committedBlock(): Block {
    return {
      ...this.lastBlock,
      appHash: this.store.appHash,
      nextValidatorsHash: NO_BYTES,
      votes: [],
      misbehavior: [],
    }
  }

  /** The block that CheckTx checks for: the one after the last. */
  get nextBlock(): Block {
    return { ...this.committedBlock, height: BigInt(this.workingHeight) + 1n }
  }

  info(): abci.ResponseInfo {
    return {
      data: 'fornax',
      version: this.version,
      appVersion: 1n,
      lastBlockHeight: BigInt(this.store.height),
      lastBlockAppHash: this.store.height === 0 ? NO_BYTES : this.store.appHash,
    }
  }

  initChain = (request: abci.RequestInitChain): Promise<abci.ResponseInitChain> => initChain(this, request)
  checkTx = (request: abci.RequestCheckTx): abci.ResponseCheckTx => checkTx(this, request)
  prepareProposal = (request: abci.RequestPrepareProposal): abci.ResponsePrepareProposal =>
    prepareProposal(this, request)
  processProposal = (request: abci.RequestProcessProposal): Promise<abci.ResponseProcessProposal> =>
    processProposal(this, request)
  extendVote = (request: abci.RequestExtendVote): Promise<abci.ResponseExtendVote> =>
    extendVote(this, request)
  verifyVoteExtension = (request: abci.RequestVerifyVoteExtension): abci.ResponseVerifyVoteExtension =>
    verifyVoteExtension(this, request)
  finalizeBlock = (request: abci.RequestFinalizeBlock): Promise<abci.ResponseFinalizeBlock> =>
    finalizeBlock(this, request)
  commit = (): Promise<abci.ResponseCommit> => commit(this)
  query = (request: abci.RequestQuery): Promise<abci.ResponseQuery> => query(this, request)

  listSnapshots(): abci.ResponseListSnapshots {
    return { snapshots: [] }
  }
  offerSnapshot(): abci.ResponseOfferSnapshot {
    return { result: 3 }
  }
  loadSnapshotChunk(): abci.ResponseLoadSnapshotChunk {
    return { chunk: NO_BYTES }
  }
  applySnapshotChunk(): abci.ResponseApplySnapshotChunk {
    return { result: 2, refetchChunks: [], rejectSenders: [] }
  }
}

import type { ConsensusParams } from 'cosmjs-types/tendermint/types/params'
import type { Address } from '../../core/address.ts'
import { NO_BYTES } from '../../core/bytes.ts'
import { type Block, Context } from '../../core/context.ts'
import { sdk } from '../../core/error.ts'
import { gasMeter } from '../../core/gas.ts'
import { Journal } from '../../core/journal.ts'
import type { Log } from '../../core/log.ts'
import type { GasPrice, Module } from '../../core/module.ts'
import { type Memory, memory } from '../../core/remembered.ts'
import type { StateReader, Write } from '../../core/state-reader.ts'
import type { Beginning } from '../../genesis/beginning.ts'
import type { Store } from '../store/store.ts'
import { BLOCK_META_KEY, type BlockMeta, decodeBlockMeta } from './block-meta.ts'
import type { Execution } from './execute.ts'
import { type Halt, Rejoining, readHalt } from './halt.ts'
import { createMessageRouter } from './message-router.ts'
import { createRouter, type Router } from './router.ts'
import { TxCache } from './tx-cache.ts'

/** Makes a node's reports, each on the state that a block leaves, for its next vote. It writes no state. */
export interface Reporter {
  /** The report that the next vote's extension carries. Never throws: empty where it fails. */
  report(ctx: Context): Promise<Uint8Array>
}

/** What the node tells of its host in its votes. */
export interface OwnTelemetry {
  /** For the vote on a block; the same bytes in all its rounds. Empty where there is nothing to tell. */
  forVote(height: bigint): Uint8Array
}

export interface ChainOptions {
  readonly store: Store
  readonly modules: readonly Module[]
  readonly version: string
  readonly minimumGasPrices: readonly GasPrice[]
  readonly log: Log
  readonly reporter?: Reporter
  readonly ownTelemetry?: OwnTelemetry
  /** Of the node's genesis file. Where given, no chain begins otherwise. */
  readonly beginning?: Beginning
}

/** A block between FinalizeBlock and Commit. */
export interface Pending {
  readonly block: Block
  readonly journal: Journal
  /** What goes into the local namespace with its commit. */
  readonly derived: readonly Write[]
  /** Why the round was degraded: Commit persists nothing then. */
  readonly degraded: string | undefined
}

/**
 * The chain as this node has it, which the ABCI methods move on (app.ts). Three states: *committed* (in the store; queries
 * and proofs speak of it alone), *working* (committed plus blocks whose commit is withheld, in memory), *pending* (a block
 * between FinalizeBlock and Commit). Whoever reads one takes a `view`.
 */
export class Chain {
  readonly store: Store
  readonly router: Router
  readonly version: string
  readonly log: Log
  readonly reporter: Reporter | undefined
  readonly ownTelemetry: OwnTelemetry | undefined
  readonly beginning: Beginning | undefined
  readonly execution: Execution
  readonly txs: TxCache
  /** What the modules need before a block is executed. */
  readonly loaded: Promise<unknown>
  /** By key, signed bytes and signature: the last blocks' vote extensions that verified. */
  readonly verifiedExtensions: Memory<true> = memory(4 * 1024 * 1024, () => 0)
  /**
   * Withheld blocks' writes over the committed state; empty but for a streak of degraded rounds and for genesis. Replaced by
   * each commit, never changed by one: a simulation goes on on what it began on.
   */
  working: Journal
  workingHeight: number
  /** The state that CheckTx sees: working plus the transactions that passed. */
  checked: Journal
  pending: Pending | undefined
  /** The last committed block; before the first, what InitChain said. */
  lastBlock: BlockMeta
  halt: Halt
  readonly rejoining = new Rejoining()
  /** The consensus parameters that CometBFT goes by since the last committed block. */
  toldParams: ConsensusParams | undefined
  /** This node's report on the state after a height, for its next vote. */
  report: { readonly height: bigint; readonly bytes: Uint8Array } | undefined

  constructor({
    store,
    modules,
    version,
    minimumGasPrices,
    log,
    reporter,
    ownTelemetry,
    beginning,
  }: ChainOptions) {
    this.store = store
    this.router = createRouter(modules)
    this.txs = new TxCache(this.router)
    this.loaded = Promise.all(modules.map((module) => module.load?.()))
    this.version = version
    this.log = log
    this.reporter = reporter
    this.ownTelemetry = ownTelemetry
    this.beginning = beginning
    const onInternalError = (error: unknown): void =>
      log.error({ err: error }, 'a transaction raised an internal error')
    this.execution = {
      router: this.router,
      messages: createMessageRouter(this.router, onInternalError),
      ante: { minimumGasPrices, verified: memory(64 * 1024 * 1024, () => 0) },
      onInternalError,
    }
    this.working = new Journal(store.latest)
    this.workingHeight = store.height
    this.checked = new Journal(this.working)
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

  get isHalted(): boolean {
    return this.halt.height !== undefined
  }

  /** The last block whose commit is withheld; the committed one where none is, also while a commit is on its way to disk. */
  get decidedHeight(): number {
    const isWithholding = !this.working.isUnwritten && this.workingHeight >= this.lastBlock.initialHeight
    return isWithholding ? this.workingHeight : this.store.height
  }

  /** Rounds in a row without a commit since the last one, or since the halt that was cleared. */
  get degradedStreak(): number {
    const committed = Math.max(this.store.height, Number(this.lastBlock.initialHeight) - 1)
    return Math.max(0, this.workingHeight - Math.max(committed, this.halt.clearedHeight))
  }

  /**
   * A state to read, without a limit of gas; what is written to it is lost. *committed* is of the height given, by default
   * the last, and throws sdk/26 where that is not kept or not reached; *checked* is what the next block's transactions
   * meet; *pending* throws without a pending block.
   */
  view(state: 'committed', height?: number): Context
  view(state: 'working' | 'checked' | 'pending'): Context
  view(state: 'committed' | 'working' | 'checked' | 'pending', height = this.store.height): Context {
    if (state === 'committed') return this.#readAt(this.#committedAt(height), BigInt(height))
    if (state === 'working') return this.#readAt(this.working, BigInt(this.workingHeight))
    if (state === 'checked') return this.#readAt(this.checked, BigInt(this.workingHeight) + 1n)
    const { journal, block } = this.pending!
    return this.#read(journal, block)
  }

  #readAt(state: StateReader, height: bigint): Context {
    return this.#read(state, { ...this.committedBlock, height })
  }

  #read(state: StateReader, block: Block): Context {
    return new Context(new Journal(state), block, 'query', gasMeter(), this.router.listeners)
  }

  #committedAt(height: number): StateReader {
    if (this.store.height === 0) throw sdk.invalidHeight('the chain has no committed block yet')
    return height === this.store.height ? this.store.latest : this.past(height)
  }

  /** The store's version of `height`. Throws sdk/26 where it is not kept or not reached. */
  past(height: number): StateReader {
    try {
      return this.store.at(height)
    } catch (error) {
      throw sdk.invalidHeight((error as Error).message)
    }
  }
}

import {
  type ExecTxResult,
  MisbehaviorType,
  type RequestFinalizeBlock,
  type ResponseFinalizeBlock,
} from 'cosmjs-types/tendermint/abci/types'
import { ConsensusParams } from 'cosmjs-types/tendermint/types/params'
import { checkAddress } from '../../core/address.ts'
import { equalBytes } from '../../core/bytes.ts'
import { type Block, Context, type Misbehavior } from '../../core/context.ts'
import { ChainError, sdk } from '../../core/error.ts'
import { gasMeter } from '../../core/gas.ts'
import { Journal } from '../../core/journal.ts'
import { nanosecondsOf } from '../../core/time.ts'
import { consensusParams } from '../../modules/consensus/api.ts'
import type { App } from './app.ts'
import { abciEvents } from './events.ts'
import { runTx, type TxOutcome } from './execute.ts'
import { observe } from './extend.ts'
import { carriesExtendedCommit, extensionsOf } from './extended-commit.ts'
import { pauses } from './pauses.ts'

/** A block between FinalizeBlock and Commit. */
export interface Pending {
  readonly block: Block
  readonly journal: Journal
  /** Why the round was degraded: Commit persists nothing then. */
  readonly degraded: string | undefined
}

const firstUncommitted = ({ store, lastBlock }: App): number =>
  store.height === 0 ? Number(lastBlock.initialHeight) : store.height + 1

/** Which state the block builds on. Throws where its height follows neither the committed nor the working one. */
function beginOn(app: App, height: number): void {
  app.pending = undefined
  app.store.discardStaged()
  const committed = app.store.height
  if (height === firstUncommitted(app) && committed > 0) {
    app.working.reset(app.store.latest)
    app.workingHeight = committed
  } else if (height !== app.workingHeight + 1)
    throw new Error(
      `FinalizeBlock at ${height}, but committed is ${committed} and working ${app.workingHeight}`,
    )
}

const MISBEHAVIOR: Readonly<Record<number, Misbehavior['kind']>> = {
  [MisbehaviorType.DUPLICATE_VOTE]: 'duplicate_vote',
  [MisbehaviorType.LIGHT_CLIENT_ATTACK]: 'light_client_attack',
}

function blockOf(app: App, request: RequestFinalizeBlock, extended: Uint8Array | undefined): Block {
  const { votes } = request.decidedLastCommit
  const extensions = extensionsOf(extended, votes.length)
  return {
    chainId: app.lastBlock.chainId,
    height: request.height,
    timeNs: nanosecondsOf(request.time),
    hash: request.hash,
    appHash: app.store.appHash,
    nextValidatorsHash: request.nextValidatorsHash,
    proposer: checkAddress(request.proposerAddress),
    votes: votes.map(({ validator, blockIdFlag }, i) => ({
      address: checkAddress(validator.address),
      power: validator.power,
      flag: blockIdFlag,
      ...(extensions[i] && { extension: extensions[i] }),
    })),
    misbehavior: request.misbehavior.flatMap((m) => {
      const kind = MISBEHAVIOR[m.type]
      if (kind === undefined) return []
      const address = checkAddress(m.validator.address)
      const { height, totalVotingPower: totalPower } = m
      return [{ kind, address, power: m.validator.power, height, timeNs: nanosecondsOf(m.time), totalPower }]
    }),
  }
}

/** Executes a decided block. Any throw outside a transaction ends the node: an answer would be a guess. */
export async function finalizeBlock(app: App, request: RequestFinalizeBlock): Promise<ResponseFinalizeBlock> {
  const height = Number(request.height)
  beginOn(app, height)
  const [extended, txs] = carriesExtendedCommit(app, request.height)
    ? [request.txs[0], request.txs.slice(1)]
    : [undefined, request.txs]
  const block = blockOf(app, request, extended)
  const journal = new Journal(app.working)
  const ctx = new Context(journal, block, 'block', gasMeter(), app.execution.messages)
  const before = consensusParams(ctx)
  if (height === firstUncommitted(app)) app.toldParams = before
  const { modules } = app.router
  for (const module of modules) await module.beginBlock?.(ctx)
  const beginEvents = journal.takeEvents()
  const txResults = await deliverAll(app, journal, block, txs, before?.block?.maxGas ?? -1n)
  for (const module of modules) await module.endBlock?.(ctx)
  const degraded = modules.map((module) => module.degraded?.(ctx)).find((why) => why !== undefined)
  const withheld = degraded !== undefined
  const validatorUpdates = withheld ? [] : modules.flatMap((module) => module.validatorUpdates?.(ctx) ?? [])
  const endEvents = journal.takeEvents()
  const after = consensusParams(ctx)
  const changed = after !== undefined && !withheld && !sameParams(app.toldParams, after)
  const appHash = withheld ? app.store.appHash : app.store.stage(height, journal.writesThrough(app.working))
  app.pending = { block, journal, degraded }
  for (const tx of txs) app.txs.forget(tx)
  await observe(app, journal, block)
  if (extended !== undefined) txResults.unshift(execTxResult(NOTHING))
  return {
    events: [...abciEvents(beginEvents, 'BeginBlock'), ...abciEvents(endEvents, 'EndBlock')],
    txResults,
    validatorUpdates,
    ...(changed && { consensusParamUpdates: after }),
    appHash,
  }
}

function sameParams(a: ConsensusParams | undefined, b: ConsensusParams): boolean {
  return a !== undefined && equalBytes(ConsensusParams.encode(a).finish(), ConsensusParams.encode(b).finish())
}

async function deliverAll(
  app: App,
  journal: Journal,
  block: Block,
  txs: readonly Uint8Array[],
  maxGas: bigint,
): Promise<ExecTxResult[]> {
  const results: ExecTxResult[] = []
  let blockGas = 0n
  const pause = pauses()
  for (const bytes of txs) {
    const waiting = pause()
    if (waiting !== undefined) await waiting
    const outcome =
      maxGas > 0n && blockGas >= maxGas
        ? refused(sdk.outOfGas('no block gas left to run tx'))
        : await deliver(app, journal, block, bytes)
    blockGas += outcome.gasUsed < outcome.gasWanted ? outcome.gasUsed : outcome.gasWanted
    results.push(execTxResult(outcome))
  }
  return results
}

/** What the extended commit in a block's first place comes to. */
const NOTHING: TxOutcome = { gasWanted: 0n, gasUsed: 0n, events: [], data: new Uint8Array(0) }

const refused = (error: ChainError): TxOutcome => ({
  gasWanted: 0n,
  gasUsed: 0n,
  events: [],
  data: new Uint8Array(0),
  error,
})

async function deliver(app: App, journal: Journal, block: Block, bytes: Uint8Array): Promise<TxOutcome> {
  try {
    return await runTx(app.execution, journal, block, 'deliver', app.txs.decode(bytes))
  } catch (error) {
    if (error instanceof ChainError) return refused(error)
    throw error
  }
}

/** Only code, data and gas enter CometBFT's results hash; log and events do not. */
export function execTxResult(outcome: TxOutcome): ExecTxResult {
  const { error } = outcome
  return {
    code: error?.code ?? 0,
    codespace: error?.codespace ?? '',
    log: error?.message ?? '',
    data: outcome.data,
    info: '',
    gasWanted: outcome.gasWanted,
    gasUsed: outcome.gasUsed,
    events: abciEvents(outcome.events),
  }
}

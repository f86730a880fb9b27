import {
  type ExecTxResult,
  MisbehaviorType,
  type RequestFinalizeBlock,
  type ResponseFinalizeBlock,
} from 'cosmjs-types/tendermint/abci/types'
import { ConsensusParams } from 'cosmjs-types/tendermint/types/params'
import { BlockIDFlag } from 'cosmjs-types/tendermint/types/validator'
import { checkAddress } from '../../core/address.ts'
import { equalBytes, NO_BYTES } from '../../core/bytes.ts'
import type { Block, Misbehavior, VoteFlag } from '../../core/context.ts'
import { ChainError, sdk } from '../../core/error.ts'
import { Journal } from '../../core/journal.ts'
import { nanosecondsOf } from '../../core/time.ts'
import { consensusParams } from '../../modules/consensus/api.ts'
import type { Chain } from './chain.ts'
import { splitDerived } from './derived.ts'
import { abciEvents } from './events.ts'
import { executing, runFormTx, runTx, type TxOutcome } from './execute.ts'
import { prepareReport } from './extend.ts'
import { carriesExtendedCommit, extensionsOf } from './extended-commit.ts'
import { pauses } from './pauses.ts'

const firstUncommitted = ({ store, lastBlock }: Chain): number =>
  store.height === 0 ? Number(lastBlock.initialHeight) : store.height + 1

/** Which state the block builds on. Throws where its height follows neither the committed nor the working one. */
function beginOn(chain: Chain, height: number): void {
  chain.pending = undefined
  chain.store.discardStaged()
  const committed = chain.store.height
  if (height === firstUncommitted(chain) && committed > 0) {
    chain.working = new Journal(chain.store.latest)
    chain.workingHeight = committed
  } else if (height !== chain.workingHeight + 1)
    throw new Error(
      `FinalizeBlock at ${height}, but committed is ${committed} and working ${chain.workingHeight}`,
    )
}

const VOTE_FLAGS: Readonly<Record<number, VoteFlag>> = {
  [BlockIDFlag.BLOCK_ID_FLAG_ABSENT]: 'absent',
  [BlockIDFlag.BLOCK_ID_FLAG_COMMIT]: 'commit',
  [BlockIDFlag.BLOCK_ID_FLAG_NIL]: 'nil',
}

const MISBEHAVIOR: Readonly<Record<number, Misbehavior['kind']>> = {
  [MisbehaviorType.DUPLICATE_VOTE]: 'duplicate_vote',
  [MisbehaviorType.LIGHT_CLIENT_ATTACK]: 'light_client_attack',
}

function blockOf(chain: Chain, request: RequestFinalizeBlock, extended: Uint8Array | undefined): Block {
  const { votes } = request.decidedLastCommit
  const extensions = extensionsOf(extended, votes.length)
  return {
    chainId: chain.lastBlock.chainId,
    height: request.height,
    timeNs: nanosecondsOf(request.time),
    hash: request.hash,
    appHash: chain.store.appHash,
    nextValidatorsHash: request.nextValidatorsHash,
    proposer: checkAddress(request.proposerAddress),
    votes: votes.map(({ validator, blockIdFlag }, i) => ({
      address: checkAddress(validator.address),
      power: validator.power,
      flag: VOTE_FLAGS[blockIdFlag] ?? 'unknown',
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
export async function finalizeBlock(
  chain: Chain,
  request: RequestFinalizeBlock,
): Promise<ResponseFinalizeBlock> {
  await chain.loaded
  const height = Number(request.height)
  beginOn(chain, height)
  const [extended, txs] = carriesExtendedCommit(chain, request.height)
    ? [request.txs[0], request.txs.slice(1)]
    : [undefined, request.txs]
  const block = blockOf(chain, request, extended)
  const journal = new Journal(chain.working)
  const ctx = executing(chain.execution, journal, block, 'block')
  const before = consensusParams(ctx)
  if (height === firstUncommitted(chain)) chain.toldParams = before
  const { modules } = chain.router
  for (const module of modules) await module.beginBlock?.(ctx)
  const beginEvents = journal.takeEvents()
  const txResults = await deliverAll(chain, journal, block, txs, before?.block?.maxGas ?? -1n)
  for (const module of modules) await module.endBlock?.(ctx)
  const degraded = modules.map((module) => module.degraded?.(ctx)).find((why) => why !== undefined)
  const withheld = degraded !== undefined
  const validatorUpdates = withheld ? [] : chain.router.validatorUpdates(ctx)
  const endEvents = journal.takeEvents()
  const after = consensusParams(ctx)
  const changed = after !== undefined && !withheld && !sameParams(chain.toldParams, after)
  const { hashed, derived } = splitDerived(withheld ? [] : journal.writesThrough(chain.working))
  const appHash = withheld ? chain.store.appHash : chain.store.stage(height, hashed)
  chain.pending = { block, journal, derived, degraded }
  for (const tx of txs) chain.txs.forget(tx)
  await prepareReport(chain, chain.view('pending'))
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
  chain: Chain,
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
    const hasOwnGas = chain.router.transactions?.isMeant(bytes) === true
    const outcome =
      maxGas > 0n && blockGas >= maxGas && !hasOwnGas
        ? refused(sdk.outOfGas('no block gas left to run tx'))
        : await deliver(chain, journal, block, bytes)
    if (!hasOwnGas) blockGas += outcome.gasUsed < outcome.gasWanted ? outcome.gasUsed : outcome.gasWanted
    results.push(execTxResult(outcome))
  }
  return results
}

/** The outcome of the extended commit in a block's first place, which is no transaction. */
const NOTHING: TxOutcome = { gasWanted: 0n, gasUsed: 0n, events: [], data: NO_BYTES }

const refused = (error: ChainError): TxOutcome => ({
  gasWanted: 0n,
  gasUsed: 0n,
  events: [],
  data: NO_BYTES,
  error,
})

async function deliver(chain: Chain, journal: Journal, block: Block, bytes: Uint8Array): Promise<TxOutcome> {
  try {
    const tx = chain.txs.decode(bytes)
    return tx.form === undefined
      ? await runTx(chain.execution, journal, block, 'deliver', tx)
      : runFormTx(chain.execution, journal, block, tx)
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

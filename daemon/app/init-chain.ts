import type { RequestInitChain, ResponseInitChain, ValidatorUpdate } from 'cosmjs-types/tendermint/abci/types'
import type { Address } from '../../core/address.ts'
import { fromUtf8, NO_BYTES, toHex } from '../../core/bytes.ts'
import type { Block } from '../../core/context.ts'
import { sdk } from '../../core/error.ts'
import { Journal } from '../../core/journal.ts'
import { nanosecondsOf } from '../../core/time.ts'
import type { Json } from '../../core/wire/json.ts'
import { genesisTransactions, readAppState } from '../../genesis/app-state.ts'
import { type Beginning, differenceOf, hashOfJson } from '../../genesis/beginning.ts'
import { ensureModuleAccount } from '../../modules/auth/api.ts'
import { setConsensusParams } from '../../modules/consensus/api.ts'
import { sdkTx } from './app-tx.ts'
import type { Chain } from './chain.ts'
import { executing, runTx } from './execute.ts'

/**
 * Builds the first state in memory; the first block's commit persists it. Asked again with nothing committed yet, it
 * begins anew.
 */
export async function initChain(chain: Chain, request: RequestInitChain): Promise<ResponseInitChain> {
  if (chain.store.height !== 0) throw new Error(`InitChain, but height ${chain.store.height} is committed`)
  const initialHeight = request.initialHeight > 1n ? request.initialHeight : 1n
  const appState = JSON.parse(fromUtf8(request.appStateBytes)) as Json
  if (chain.beginning !== undefined) requireBeginning(chain.beginning, request, appState)
  const block: Block = {
    chainId: request.chainId,
    // As the SDK has it: genesis is of height 0 where the chain begins at 1, else of the first height.
    height: initialHeight > 1n ? initialHeight : 0n,
    timeNs: nanosecondsOf(request.time),
    hash: NO_BYTES,
    appHash: NO_BYTES,
    nextValidatorsHash: NO_BYTES,
    proposer: NO_BYTES as Address,
    votes: [],
    misbehavior: [],
  }
  chain.lastBlock = { ...block, height: 0n, initialHeight }
  chain.pending = undefined
  chain.working = new Journal(chain.store.latest)
  chain.workingHeight = Number(initialHeight) - 1
  const ctx = executing(chain.execution, chain.working, block, 'genesis')
  if (request.consensusParams === undefined) throw sdk.invalidRequest('genesis has no consensus parameters')
  setConsensusParams(ctx, request.consensusParams)
  for (const { module, genesis, state } of readAppState(chain.router.modules, appState)) {
    chain.log.info({ module: module.name }, 'genesis of a module')
    genesis.init(ctx, state)
  }
  for (const module of chain.router.modules)
    for (const [name, permissions] of Object.entries(module.accounts))
      ensureModuleAccount(ctx, name, permissions)
  await runGenesisTransactions(chain, block, appState)
  const validators = chain.router.validatorUpdates(ctx)
  requireSameValidators(request.validators, validators)
  chain.working.takeEvents()
  chain.checked = new Journal(chain.working)
  return { validators, appHash: chain.store.appHash }
}

/** CometBFT keeps the genesis that it has first seen, and begins with that. */
function requireBeginning(
  file: Beginning,
  { chainId, time, initialHeight }: RequestInitChain,
  appState: Json,
): void {
  if (chainId !== file.chainId)
    throw new Error(
      `the genesis file is of chain ${file.chainId}, but CometBFT's data are of chain ${chainId}: put that chain's genesis file back, or begin ${file.chainId} in another home`,
    )
  const appStateHash = hashOfJson(appState)
  const difference = differenceOf(file, { chainId, initialHeight, timeNs: nanosecondsOf(time), appStateHash })
  if (difference !== undefined)
    throw new Error(
      `the genesis file has another ${difference} than the one that CometBFT's data began with, though the chain id is the same: put that one back, or have \`fornaxd comet reset\` delete those data, so that the chain begins with the file as it is`,
    )
}

async function runGenesisTransactions(chain: Chain, block: Block, appState: unknown): Promise<void> {
  for (const [i, bytes] of genesisTransactions(appState).entries()) {
    const outcome = await runTx(chain.execution, chain.working, block, 'genesis', sdkTx(bytes))
    if (outcome.error !== undefined)
      throw new Error(`genesis transaction ${i} was refused: ${outcome.error.message}`)
  }
}

/** A genesis file that names validators itself must name those that the state has. */
function requireSameValidators(told: readonly ValidatorUpdate[], found: readonly ValidatorUpdate[]): void {
  if (told.length === 0) {
    if (found.length === 0) throw new Error('genesis has no validator with power')
    return
  }
  const lines = (list: readonly ValidatorUpdate[]): string =>
    list
      .map((v) => `${toHex(v.pubKey.ed25519 ?? NO_BYTES)} ${v.power}`)
      .sort()
      .join('\n')
  if (lines(told) !== lines(found))
    throw new Error("the genesis file's validators are not those of its app_state")
}

import {
  type RequestPrepareProposal,
  type RequestProcessProposal,
  type ResponsePrepareProposal,
  type ResponseProcessProposal,
  ResponseProcessProposal_ProposalStatus as Status,
} from 'cosmjs-types/tendermint/abci/types'
import { ChainError } from '../../core/error.ts'
import { Journal } from '../../core/journal.ts'
import { nanosecondsOf } from '../../core/time.ts'
import { maxBlockGas } from '../../modules/consensus/api.ts'
import type { AppTx } from './app-tx.ts'
import { type Budget, countedGas } from './block-budget.ts'
import type { Chain } from './chain.ts'
import { checkTx, isSelfAuthenticated } from './execute.ts'
import { carriesExtendedCommit, faultOfExtendedCommit, packExtendedCommit } from './extended-commit.ts'

/** Nothing where the bytes are no transaction, or one that is too much for this machine: others may decide otherwise. */
function decode(chain: Chain, bytes: Uint8Array): AppTx | undefined {
  try {
    return chain.txs.decode(bytes)
  } catch (error) {
    if (!(error instanceof ChainError)) chain.execution.onInternalError(error)
    return undefined
  }
}

/** What a block has room for: gas of the SDK's transactions, and of those of a module's form. */
class GasRoom {
  readonly #limits: readonly [sdk: bigint, form: bigint]
  readonly #wanted: [sdk: bigint, form: bigint] = [0n, 0n]

  constructor(chain: Chain) {
    const ctx = chain.view('working')
    this.#limits = [maxBlockGas(ctx), chain.router.transactions?.blockGas(ctx) ?? -1n]
  }

  /** Whether there is room for the transaction, which takes it then. */
  takes({ form, gasWanted }: AppTx): boolean {
    const pool = form === undefined ? 0 : 1
    const limit = this.#limits[pool]
    const wanted = this.#wanted[pool] + gasWanted
    if (limit >= 0n && wanted > limit) return false
    this.#wanted[pool] = wanted
    return true
  }

  /** The transaction was left out after all. */
  giveBack({ form, gasWanted }: AppTx): void {
    this.#wanted[form === undefined ? 0 : 1] -= gasWanted
  }
}

/**
 * Whether transactions may stand in a proposal, asked one after the other: one that proves itself must do so on the state
 * that the block builds on. It costs its proposer nothing, so that a block could be filled with such that prove nothing.
 */
function admission(
  chain: Chain,
  { height, time }: Pick<RequestProcessProposal, 'height' | 'time'>,
): (tx: AppTx) => boolean {
  const journal = new Journal(chain.working)
  const block = { ...chain.nextBlock, height, timeNs: nanosecondsOf(time) }
  return (tx) =>
    !isSelfAuthenticated(chain.execution.router, tx) ||
    checkTx(chain.execution, journal, block, 'check', tx).error === undefined
}

/** Bytes that a transaction takes in a block: its own, a tag and its length. */
function blockBytes(bytes: Uint8Array): bigint {
  let prefix = 2
  for (let n = bytes.length; n > 127; n = Math.floor(n / 128)) prefix++
  return BigInt(bytes.length + prefix)
}

/**
 * The extended commit of the last block, and behind it the mempool's transactions in their order, as many as fit by bytes
 * and gas. One that does not fit is passed over. A halted node proposes no transactions.
 *
 * The block ends where this node's own budget does; a first transaction always fits. But what is left is checked again
 * before the next block, so that it gains nothing to leave more than takes as long as the block itself.
 */
export function prepareProposal(
  chain: Chain,
  request: RequestPrepareProposal,
  budget?: Budget,
): ResponsePrepareProposal {
  const room = new GasRoom(chain)
  const txs: Uint8Array[] = []
  let bytes = 0n
  let counted = 0
  if (carriesExtendedCommit(chain, request.height) && request.localLastCommit !== undefined) {
    const commit = packExtendedCommit(chain, request.height, request.localLastCommit)
    bytes += blockBytes(commit)
    txs.push(commit)
  }
  const isAdmitted = admission(chain, request)
  for (const [i, tx] of chain.isHalted ? [] : request.txs.entries()) {
    const size = blockBytes(tx)
    if (bytes + size > request.maxTxBytes) continue
    const decoded = decode(chain, tx)
    if (decoded === undefined) continue
    const more = countedGas(decoded.gasWanted)
    const left = request.txs.length - i
    const fits = !budget || counted + more <= budget.gas || counted < left * budget.recheckGas
    if (!fits && counted > 0) break
    if (!room.takes(decoded)) continue
    if (!isAdmitted(decoded)) {
      room.giveBack(decoded)
      continue
    }
    counted += more
    bytes += size
    txs.push(tx)
  }
  return { txs }
}

/**
 * Accepts what `prepareProposal` could have made: the extended commit is right, everything decodes, the gas fits, and what
 * proves itself does.
 */
export async function processProposal(
  chain: Chain,
  request: RequestProcessProposal,
): Promise<ResponseProcessProposal> {
  // Answered at once: a vote that is signed while the process is stopped is lost. Rounds pass at timeout_precommit.
  if (chain.isHalted || chain.rejoining.refuses(chain, performance.now())) return { status: Status.REJECT }
  const room = new GasRoom(chain)
  let { txs } = request
  if (carriesExtendedCommit(chain, request.height)) {
    const last = request.proposedLastCommit ?? { round: 0, votes: [] }
    const fault = faultOfExtendedCommit(chain, request.height, txs[0], last)
    if (fault !== undefined) return reject(chain, request, `the extended commit: ${fault}`)
    txs = txs.slice(1)
  }
  const isAdmitted = admission(chain, request)
  for (const tx of txs) {
    const decoded = decode(chain, tx)
    if (decoded === undefined) return reject(chain, request, 'a transaction does not decode')
    if (!room.takes(decoded)) return reject(chain, request, 'the transactions want more gas than a block has')
    if (!isAdmitted(decoded)) return reject(chain, request, 'a transaction does not prove itself')
  }
  return { status: Status.ACCEPT }
}

function reject(chain: Chain, request: RequestProcessProposal, reason: string): ResponseProcessProposal {
  chain.log.warn({ height: request.height.toString(), reason }, 'proposal refused')
  return { status: Status.REJECT }
}

import {
  type RequestPrepareProposal,
  type RequestProcessProposal,
  type ResponsePrepareProposal,
  type ResponseProcessProposal,
  ResponseProcessProposal_ProposalStatus as Status,
} from 'cosmjs-types/tendermint/abci/types'
import { Context } from '../../core/context.ts'
import { ChainError } from '../../core/error.ts'
import { consensusParams } from '../../modules/consensus/api.ts'
import type { App } from './app.ts'
import { carriesExtendedCommit, faultOfExtendedCommit, packExtendedCommit } from './extended-commit.ts'
import { isHalted } from './halt.ts'

function maxBlockGas(app: App): bigint {
  const params = consensusParams(new Context(app.working, app.committedBlock, 'query'))
  return params?.block?.maxGas ?? -1n
}

/** The gas that a transaction may use, or nothing where it does not decode. */
function gasWanted(app: App, bytes: Uint8Array): bigint | undefined {
  try {
    return app.txs.decode(bytes).authInfo.fee?.gasLimit ?? 0n
  } catch (error) {
    if (error instanceof ChainError) return undefined
    throw error
  }
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
 */
export function prepareProposal(app: App, request: RequestPrepareProposal): ResponsePrepareProposal {
  const maxGas = maxBlockGas(app)
  const txs: Uint8Array[] = []
  let bytes = 0n
  let gas = 0n
  if (carriesExtendedCommit(app, request.height) && request.localLastCommit !== undefined) {
    const commit = packExtendedCommit(app, request.height, request.localLastCommit)
    bytes += blockBytes(commit)
    txs.push(commit)
  }
  for (const tx of isHalted(app) ? [] : request.txs) {
    const size = blockBytes(tx)
    if (bytes + size > request.maxTxBytes) continue
    const wanted = gasWanted(app, tx)
    if (wanted === undefined || (maxGas >= 0n && gas + wanted > maxGas)) continue
    bytes += size
    gas += wanted
    txs.push(tx)
  }
  return { txs }
}

/** Accepts what `prepareProposal` could have made: the extended commit is right, everything decodes, the gas fits. */
export async function processProposal(
  app: App,
  request: RequestProcessProposal,
): Promise<ResponseProcessProposal> {
  // Answered at once: a vote that is signed while the process is stopped is lost. Rounds pass at timeout_precommit.
  if (isHalted(app) || app.rejoining.refuses(app, performance.now())) return { status: Status.REJECT }
  const maxGas = maxBlockGas(app)
  let gas = 0n
  let { txs } = request
  if (carriesExtendedCommit(app, request.height)) {
    const last = request.proposedLastCommit ?? { round: 0, votes: [] }
    const fault = faultOfExtendedCommit(app, request.height, txs[0], last)
    if (fault !== undefined) return reject(app, request, `the extended commit: ${fault}`)
    txs = txs.slice(1)
  }
  for (const tx of txs) {
    const wanted = gasWanted(app, tx)
    if (wanted === undefined) return reject(app, request, 'a transaction does not decode')
    gas += wanted
    if (maxGas >= 0n && gas > maxGas)
      return reject(app, request, 'the transactions want more gas than a block has')
  }
  return { status: Status.ACCEPT }
}

function reject(app: App, request: RequestProcessProposal, reason: string): ResponseProcessProposal {
  app.log.warn({ height: request.height.toString(), reason }, 'proposal refused')
  return { status: Status.REJECT }
}

import type {
  RequestExtendVote,
  RequestVerifyVoteExtension,
  ResponseExtendVote,
  ResponseVerifyVoteExtension,
} from 'cosmjs-types/tendermint/abci/types'
import { ResponseVerifyVoteExtension_VerifyStatus as VerifyStatus } from 'cosmjs-types/tendermint/abci/types'
import { NO_BYTES } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import type { Chain } from './chain.ts'

/** Has the node make its report on the state after a block. */
export async function prepareReport(chain: Chain, ctx: Context): Promise<void> {
  if (chain.reporter === undefined) return
  chain.report = { height: ctx.height, bytes: await chain.reporter.report(ctx) }
}

/**
 * The report on the state that the block in question builds on, made anew after a restart, and what this node tells of its
 * host.
 */
export async function extendVote(chain: Chain, request: RequestExtendVote): Promise<ResponseExtendVote> {
  const height = request.height - 1n
  if (chain.report?.height !== height) await prepareReport(chain, chain.view('working').atHeight(height))
  const report = chain.report?.bytes ?? NO_BYTES
  const telemetry = chain.ownTelemetry?.forVote(request.height) ?? NO_BYTES
  return { voteExtension: chain.router.voteExtension.join({ report, telemetry }) }
}

/** Refuses only what is malformed or too long: a refusal throws the whole precommit away. */
export function verifyVoteExtension(
  chain: Chain,
  { voteExtension }: RequestVerifyVoteExtension,
): ResponseVerifyVoteExtension {
  const isWellFormed = chain.router.voteExtension.split(voteExtension) !== undefined
  return { status: isWellFormed ? VerifyStatus.ACCEPT : VerifyStatus.REJECT }
}

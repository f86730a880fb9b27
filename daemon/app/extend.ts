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
  chain.report = { height: ctx.height, extension: await chain.reporter.report(ctx) }
}

/** The report on the state that the block in question builds on; made anew after a restart. */
export async function extendVote(chain: Chain, request: RequestExtendVote): Promise<ResponseExtendVote> {
  const height = request.height - 1n
  if (chain.report?.height !== height) await prepareReport(chain, chain.view('working').atHeight(height))
  return { voteExtension: chain.report?.extension ?? NO_BYTES }
}

/** Refuses only what is malformed or too long: a refusal throws the whole precommit away. */
export function verifyVoteExtension(
  chain: Chain,
  { voteExtension }: RequestVerifyVoteExtension,
): ResponseVerifyVoteExtension {
  return { status: isWellFormed(chain, voteExtension) ? VerifyStatus.ACCEPT : VerifyStatus.REJECT }
}

/** Empty ones are: a node that fails to make a report has nothing to say. */
export function isWellFormed(chain: Chain, extension: Uint8Array): boolean {
  if (extension.length === 0) return true
  const form = chain.router.voteExtension
  return form !== undefined && extension.length <= form.maxBytes && form.accepts(extension)
}

import type {
  RequestExtendVote,
  RequestVerifyVoteExtension,
  ResponseExtendVote,
  ResponseVerifyVoteExtension,
} from 'cosmjs-types/tendermint/abci/types'
import { ResponseVerifyVoteExtension_VerifyStatus as Verdict } from 'cosmjs-types/tendermint/abci/types'
import { type Block, Context } from '../../core/context.ts'
import { Journal } from '../../core/journal.ts'
import type { App } from './app.ts'

/** What a node makes of the state that a block leaves, to put into its next vote. It writes no state. */
export interface Observer {
  /** Never throws: empty where the observation fails. */
  observe(ctx: Context): Promise<Uint8Array>
}

const NO_BYTES = new Uint8Array(0)

/** The node's observation of the state after `block`. */
export async function observe(app: App, journal: Journal, block: Block): Promise<void> {
  if (app.observer === undefined) return
  const ctx = new Context(new Journal(journal), block, 'query')
  app.observation = { height: block.height, extension: await app.observer.observe(ctx) }
}

/** The observation of the state that the block in question builds on; made anew after a restart. */
export async function extendVote(app: App, request: RequestExtendVote): Promise<ResponseExtendVote> {
  const height = request.height - 1n
  if (app.observation?.height !== height) await observe(app, app.working, { ...app.committedBlock, height })
  return { voteExtension: app.observation?.extension ?? NO_BYTES }
}

/** Refuses only what is malformed or too long: a refusal throws the whole precommit away. */
export function verifyVoteExtension(
  app: App,
  { voteExtension }: RequestVerifyVoteExtension,
): ResponseVerifyVoteExtension {
  return { status: isWellFormed(app, voteExtension) ? Verdict.ACCEPT : Verdict.REJECT }
}

/** Empty ones are: a node whose observation fails has nothing to say. */
export function isWellFormed(app: App, extension: Uint8Array): boolean {
  if (extension.length === 0) return true
  const form = app.router.modules.find((module) => module.voteExtension)?.voteExtension
  return form !== undefined && extension.length <= form.maxBytes && form.accepts(extension)
}

import type { AbciHandler } from '../abci/handler.ts'
import type { Chain } from './chain.ts'
import { checkTx } from './check.ts'
import { commit } from './commit.ts'
import { extendVote, verifyVoteExtension } from './extend.ts'
import { finalizeBlock } from './finalize.ts'
import { info } from './info.ts'
import { initChain } from './init-chain.ts'
import { prepareProposal, processProposal } from './propose.ts'
import { query } from './query.ts'
import { applySnapshotChunk, listSnapshots, loadSnapshotChunk, offerSnapshot } from './snapshot.ts'

export type App = ReturnType<typeof createApp>

/** The chain's state machine behind ABCI. Each method has a file of its own. */
export function createApp(chain: Chain) {
  return {
    info: () => info(chain),
    query: (request) => query(chain, request),
    checkTx: (request) => checkTx(chain, request),
    initChain: (request) => initChain(chain, request),
    prepareProposal: (request) => prepareProposal(chain, request),
    processProposal: (request) => processProposal(chain, request),
    extendVote: (request) => extendVote(chain, request),
    verifyVoteExtension: (request) => verifyVoteExtension(chain, request),
    finalizeBlock: (request) => finalizeBlock(chain, request),
    commit: () => commit(chain),
    listSnapshots,
    offerSnapshot,
    loadSnapshotChunk,
    applySnapshotChunk,
  } satisfies AbciHandler
}

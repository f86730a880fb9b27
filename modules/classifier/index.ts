import { defineModule } from '../../core/module.ts'
import { forgetFormerMembers } from './former-members.ts'
import { classifierGenesis } from './genesis.ts'
import { invariants } from './invariants.ts'
import { judge } from './judgement.ts'
import { classifierMessages } from './messages.ts'
import { promoteModel } from './model.ts'
import { classifierQueries } from './queries.ts'
import { recordBlock } from './record-block.ts'
import * as state from './state.ts'
import { joinVoteExtension, splitVoteExtension } from './vote-extension.ts'
import { storeVoteTelemetry } from './vote-telemetry.ts'
import { prepareForZeroHeight } from './zero-height.ts'

export const classifier = defineModule({
  name: 'classifier',
  stores: [state.STORE],
  messages: classifierMessages,
  queries: classifierQueries,
  genesis: classifierGenesis,
  beginBlock(ctx) {
    forgetFormerMembers(ctx)
    recordBlock(ctx, judge(ctx))
    storeVoteTelemetry(ctx)
    promoteModel(ctx)
  },
  voteExtension: { join: joinVoteExtension, split: splitVoteExtension },
  invariants,
  prepareForZeroHeight,
})

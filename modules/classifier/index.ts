import { defineModule } from '../../core/module.ts'
import { forgetFormerMembers } from './former-members.ts'
import { classifierGenesis } from './genesis.ts'
import { invariants } from './invariants.ts'
import { judge } from './judgement.ts'
import { classifierMessages } from './messages.ts'
import { promoteModel } from './model.ts'
import { classifierQueries } from './queries.ts'
import { recordBlock } from './record-block.ts'
import { decodeReport, MAX_REPORT_BYTES } from './report.ts'
import * as state from './state.ts'
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
    promoteModel(ctx)
  },
  voteExtension: {
    maxBytes: MAX_REPORT_BYTES,
    accepts: (payload) => decodeReport(payload) !== undefined,
  },
  invariants,
  prepareForZeroHeight,
})

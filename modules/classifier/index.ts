import { defineModule } from '../../core/module.ts'
import { classifierGenesis } from './genesis.ts'
import { invariants } from './invariants.ts'
import { classifierMessages } from './messages.ts'
import { promoteModel } from './model.ts'
import { observe } from './observations.ts'
import { classifierQueries } from './queries.ts'
import * as state from './state.ts'
import { decodeReport, MAX_REPORT_BYTES } from './vote-report.ts'
import { prepareForZeroHeight } from './zero-height.ts'

export const classifier = defineModule({
  name: 'classifier',
  stores: [state.STORE],
  messages: classifierMessages,
  queries: classifierQueries,
  genesis: classifierGenesis,
  beginBlock(ctx) {
    observe(ctx)
    promoteModel(ctx)
  },
  voteExtension: {
    maxBytes: MAX_REPORT_BYTES,
    accepts: (payload) => decodeReport(payload) !== undefined,
  },
  invariants,
  prepareForZeroHeight,
})

import { defineModule } from '../../core/module.ts'
import { beginBlock } from './allocation.ts'
import { ACCOUNT } from './community-pool.ts'
import { distributionGenesis } from './genesis.ts'
import { invariants } from './invariants.ts'
import { distributionMessages } from './messages.ts'
import { distributionQueries } from './queries.ts'
import * as state from './state.ts'
import { prepareForZeroHeight } from './zero-height.ts'

export const distribution = defineModule({
  name: 'distribution',
  stores: [state.STORE],
  messages: distributionMessages,
  queries: distributionQueries,
  genesis: distributionGenesis,
  beginBlock,
  invariants,
  prepareForZeroHeight,
  accounts: { [ACCOUNT]: [] },
})

import { defineModule } from '../../core/module.ts'
import { slashingGenesis } from './genesis.ts'
import { invariants } from './invariants.ts'
import { countVotes } from './liveness.ts'
import { slashingMessages } from './messages.ts'
import { slashingQueries } from './queries.ts'
import * as state from './state.ts'
import { prepareForZeroHeight } from './zero-height.ts'

export const slashing = defineModule({
  name: 'slashing',
  stores: [state.STORE],
  messages: slashingMessages,
  queries: slashingQueries,
  genesis: slashingGenesis,
  beginBlock: countVotes,
  invariants,
  prepareForZeroHeight,
})

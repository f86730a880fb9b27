import { defineModule } from '../../core/module.ts'
import { evaluateRound, whyDegraded } from './consensus-agent.ts'
import { decideAll } from './decision-module.ts'
import { agentsGenesis } from './genesis.ts'
import { invariants } from './invariants.ts'
import { releaseFromJail } from './jail.ts'
import { agentsMessages } from './messages.ts'
import { admitNewcomers } from './pools.ts'
import { agentsQueries } from './queries.ts'
import { forgetOldRemovals } from './removal-cap.ts'
import * as state from './state.ts'
import { prepareForZeroHeight } from './zero-height.ts'

export const agents = defineModule({
  name: 'agents',
  stores: [state.STORE],
  messages: agentsMessages,
  queries: agentsQueries,
  genesis: agentsGenesis,
  beginBlock(ctx) {
    admitNewcomers(ctx)
    evaluateRound(ctx)
  },
  endBlock(ctx) {
    forgetOldRemovals(ctx)
    releaseFromJail(ctx)
    decideAll(ctx)
  },
  degraded: whyDegraded,
  invariants,
  prepareForZeroHeight,
})

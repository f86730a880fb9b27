import { defineModule } from '../../core/module.ts'
import { bankGenesis } from './genesis.ts'
import { invariants } from './invariants.ts'
import { bankMessages } from './messages.ts'
import { bankQueries } from './queries.ts'
import * as state from './state.ts'

export const bank = defineModule({
  name: 'bank',
  stores: [state.STORE],
  messages: bankMessages,
  queries: bankQueries,
  genesis: bankGenesis,
  invariants,
})

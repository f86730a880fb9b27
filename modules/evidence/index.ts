import { defineModule } from '../../core/module.ts'
import { punishMisbehavior } from './equivocation.ts'
import { evidenceGenesis } from './genesis.ts'
import { evidenceQueries } from './queries.ts'
import * as state from './state.ts'

export const evidence = defineModule({
  name: 'evidence',
  stores: [state.STORE],
  queries: evidenceQueries,
  genesis: evidenceGenesis,
  beginBlock: punishMisbehavior,
})

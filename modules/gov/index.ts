import { defineModule } from '../../core/module.ts'
import { GOV } from './deposits.ts'
import { endBlock } from './end-block.ts'
import { govGenesis } from './genesis.ts'
import { invariants } from './invariants.ts'
import { legacyMessages } from './legacy-messages.ts'
import { legacyQueries } from './legacy-queries.ts'
import { govMessages } from './messages.ts'
import { govQueries } from './queries.ts'
import * as state from './state.ts'

export const gov = defineModule({
  name: 'gov',
  stores: [state.STORE],
  messages: [...govMessages, ...legacyMessages],
  queries: [...govQueries, ...legacyQueries],
  genesis: govGenesis,
  endBlock,
  invariants,
  accounts: { [GOV]: ['burner'] },
})

import { defineModule } from '../../core/module.ts'
import { beginBlock, endBlock } from './block.ts'
import { loadMachine } from './chain-machine.ts'
import { ethereumTransactions } from './form.ts'
import { evmGenesis } from './genesis.ts'
import { invariants } from './invariants.ts'
import { evmMessages } from './messages.ts'
import { evmQueries } from './queries.ts'
import * as state from './state.ts'
import { prepareForZeroHeight } from './zero-height.ts'

export const evm = defineModule({
  name: 'evm',
  stores: [state.STORE],
  messages: evmMessages,
  queries: evmQueries,
  genesis: evmGenesis,
  load: loadMachine,
  beginBlock,
  endBlock,
  transactions: ethereumTransactions,
  invariants,
  prepareForZeroHeight,
})

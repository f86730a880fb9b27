import { defineModule } from '../../core/module.ts'
import { stakingGenesis } from './genesis.ts'
import { trackHistoricalInfo } from './historical-info.ts'
import { invariants } from './invariants.ts'
import { stakingMessages } from './messages.ts'
import { BONDED_POOL, NOT_BONDED_POOL } from './pools.ts'
import { stakingQueries } from './queries.ts'
import * as state from './state.ts'
import { endBlock, validatorUpdates } from './validator-set.ts'
import { prepareForZeroHeight } from './zero-height.ts'

export const staking = defineModule({
  name: 'staking',
  stores: [state.STORE],
  messages: stakingMessages,
  queries: stakingQueries,
  genesis: stakingGenesis,
  beginBlock: trackHistoricalInfo,
  endBlock,
  validatorUpdates,
  invariants,
  prepareForZeroHeight,
  accounts: { [BONDED_POOL]: ['burner', 'staking'], [NOT_BONDED_POOL]: ['burner', 'staking'] },
})

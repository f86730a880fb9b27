import { defineModule, type Module } from '../../core/module.ts'
import { stakingGenesis } from './genesis.ts'
import { trackHistoricalInfo } from './historical-info.ts'
import type { StakingHooks } from './hooks.ts'
import { invariants } from './invariants.ts'
import { stakingMessages } from './messages.ts'
import { BONDED_POOL, NOT_BONDED_POOL } from './pools.ts'
import { stakingQueries } from './queries.ts'
import * as state from './state.ts'
import { endBlock, validatorUpdates } from './validator-set.ts'
import { prepareForZeroHeight } from './zero-height.ts'

/** The module, with whom it tells of validators and delegations, in this order. */
export const createStaking = (...listeners: readonly StakingHooks[]): Module =>
  defineModule({
    name: 'staking',
    stores: [state.STORE],
    messages: stakingMessages,
    queries: stakingQueries,
    listeners,
    genesis: stakingGenesis,
    beginBlock: trackHistoricalInfo,
    endBlock,
    validatorUpdates,
    invariants,
    prepareForZeroHeight,
    accounts: { [BONDED_POOL]: ['burner', 'staking'], [NOT_BONDED_POOL]: ['burner', 'staking'] },
  })

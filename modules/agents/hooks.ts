import type { StakingHooks } from '../staking/hooks.ts'
import { agentsError } from './errors.ts'
import * as state from './state.ts'

export const agentsStakingHooks: StakingHooks = {
  /** Throws agents/7: with another consensus key a banned operator would be in the set again, and judged by nobody. */
  afterValidatorCreated(ctx, operator) {
    if (state.bans.has(ctx, operator)) throw agentsError.banned()
  },
}

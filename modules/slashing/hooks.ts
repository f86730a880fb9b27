import type { StakingHooks } from '../staking/hooks.ts'
import { beginSigning } from './signing-info.ts'

export const slashingStakingHooks: StakingHooks = {
  afterValidatorBonded: beginSigning,
}

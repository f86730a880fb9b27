import type { StakingHooks } from '../staking/hooks.ts'
import { slashingError } from './errors.ts'
import { isTombstoned } from './penalties.ts'
import { beginSigning } from './signing-info.ts'

export const slashingStakingHooks: StakingHooks = {
  /** Throws slashing/9: nothing is held against a consensus key that is tombstoned, under whatever operator. */
  afterValidatorCreated(ctx, operator) {
    if (isTombstoned(ctx, operator)) throw slashingError.validatorTombstoned()
  },
  afterValidatorBonded: beginSigning,
}

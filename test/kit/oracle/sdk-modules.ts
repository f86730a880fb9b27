import type { Module } from '../../../core/module.ts'
import { distributionStakingHooks } from '../../../modules/distribution/hooks.ts'
import { createEvidence } from '../../../modules/evidence/index.ts'
import { modules } from '../../../modules/index.ts'
import { slashingStakingHooks } from '../../../modules/slashing/hooks.ts'
import { createStaking } from '../../../modules/staking/index.ts'

/** Modules that would tell those that the SDK does not have. */
const amongThemselves: Readonly<Record<string, Module>> = {
  evidence: createEvidence(),
  staking: createStaking(distributionStakingHooks, slashingStakingHooks),
}

/** The modules that the Cosmos SDK has too: what the others do of themselves would be differences. */
export const sdkModules = modules
  .filter(({ name }) => name !== 'classifier' && name !== 'agents')
  .map((module) => amongThemselves[module.name] ?? module)

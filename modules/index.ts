import type { Module } from '../core/module.ts'
import { agentsStakingHooks } from './agents/hooks.ts'
import { agents } from './agents/index.ts'
import { auth } from './auth/index.ts'
import { bank } from './bank/index.ts'
import { classifierEvidenceHooks } from './classifier/hooks.ts'
import { classifier } from './classifier/index.ts'
import { consensus } from './consensus/index.ts'
import { distributionStakingHooks } from './distribution/hooks.ts'
import { distribution } from './distribution/index.ts'
import { createEvidence } from './evidence/index.ts'
import { evm } from './evm/index.ts'
import { gov } from './gov/index.ts'
import { params } from './params/index.ts'
import { slashingStakingHooks } from './slashing/hooks.ts'
import { slashing } from './slashing/index.ts'
import { createStaking } from './staking/index.ts'

/** Genesis, begin block and end block all run in this order. */
export const modules: readonly Module[] = [
  consensus,
  auth,
  bank,
  distribution,
  slashing,
  // Before the evidence of a block is judged, so that newcomers are on the roster.
  classifier,
  createEvidence(classifierEvidenceHooks),
  agents,
  gov,
  createStaking(distributionStakingHooks, slashingStakingHooks, agentsStakingHooks),
  evm,
  params,
]

import { defineModule } from '../../../core/module.ts'
import { createEvidence } from '../../../modules/evidence/index.ts'
import { modules } from '../../../modules/index.ts'

/** Nobody is banned without agents, but who makes a validator is looked up. */
const bans = defineModule({ name: 'bans', stores: ['agents'] })

/** The modules that the Cosmos SDK has too: what the others do of themselves would be differences. */
export const sdkModules = [
  ...modules
    .filter(({ name }) => name !== 'classifier' && name !== 'agents')
    .map((module) => (module.name === 'evidence' ? createEvidence() : module)),
  bans,
]

import { createEvidence } from '../../../modules/evidence/index.ts'
import { modules } from '../../../modules/index.ts'

/** The modules that the Cosmos SDK has too: what the others do of themselves would be differences. */
export const sdkModules = modules
  .filter(({ name }) => name !== 'classifier' && name !== 'agents')
  .map((module) => (module.name === 'evidence' ? createEvidence() : module))

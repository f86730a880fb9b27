import type { EvidenceHooks } from '../evidence/hooks.ts'
import { noteEvidence } from './roster.ts'

export const classifierEvidenceHooks: EvidenceHooks = {
  afterEquivocation: noteEvidence,
}

import type { Address } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import { notifierOf } from '../../core/hooks.ts'

/** Hooks by which other modules act when the chain has accepted evidence. `consensus` names the validator's key. */
export interface EvidenceHooks {
  readonly afterEquivocation?: (ctx: Context, consensus: Address) => void
}

export const notify = notifierOf<EvidenceHooks>('evidence')

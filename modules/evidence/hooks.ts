import type { Address } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'

/** What other modules do when the chain has accepted evidence. `consensus` names the validator's key. */
export interface EvidenceHooks {
  readonly afterEquivocation?: (ctx: Context, consensus: Address) => void
}

const listeners: EvidenceHooks[] = []

/** Called once, by the list of modules; each hook runs in the order given here. */
export function setEvidenceHooks(...hooks: readonly EvidenceHooks[]): void {
  if (listeners.length > 0) throw new Error('the evidence hooks are set')
  listeners.push(...hooks)
}

/** Tells every listener of an equivocation that was accepted. */
export function notifyEquivocation(ctx: Context, consensus: Address): void {
  for (const listener of listeners) listener.afterEquivocation?.(ctx, consensus)
}

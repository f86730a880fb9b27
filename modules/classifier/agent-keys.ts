import type { Address } from '../../core/address.ts'
import { equalBytes } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { classifierError } from './errors.ts'
import * as state from './state.ts'

/** The operator whose agent key this is. */
export const ownerOfAgentKey = (ctx: Context, pubKey: Uint8Array): Address | undefined =>
  state.agentKeyOwners.get(ctx, pubKey)

/** Gives an operator an agent key in place of the one it had. Throws classifier/9 where it is another's. */
export function setAgentKey(ctx: Context, operator: Address, pubKey: Uint8Array): void {
  const owner = ownerOfAgentKey(ctx, pubKey)
  if (owner !== undefined && !equalBytes(owner, operator)) throw classifierError.agentKeyTaken()
  const before = state.agentKeys.get(ctx, operator)
  if (before !== undefined) state.agentKeyOwners.delete(ctx, before)
  state.agentKeys.set(ctx, operator, pubKey)
  state.agentKeyOwners.set(ctx, pubKey, operator)
}

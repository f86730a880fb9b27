import type { Address } from '../../core/address.ts'
import { equalBytes, toHex, utf8 } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { verifyEd25519 } from '../../core/crypto/ed25519.ts'
import type { MsgSetAgentKey } from '../../proto/gen/fornax/classifier/v1/tx.ts'
import { params as authParams } from '../auth/api.ts'
import { classifierError } from './errors.ts'
import * as state from './state.ts'

/** The operator whose agent key this is. */
export const operatorOfAgentKey = (ctx: Context, pubKey: Uint8Array): Address | undefined =>
  state.agentKeyOwners.get(ctx, pubKey)

/** The bytes that an agent key signs to show that its holder wants it to be this validator's, a line each. */
export const agentKeySignBytes = (chainId: string, validator: string, pubKey: Uint8Array): Uint8Array =>
  utf8(['fornax/agent-key', chainId, validator, toHex(pubKey)].join('\n'))

/** Throws classifier/3 where the key is not its sender's to give. */
export function requireProof(ctx: Context, { validator, pubKey, signature }: MsgSetAgentKey): void {
  ctx.gas.consume(authParams(ctx).sigVerifyCostEd25519, 'agent key: ed25519')
  if (!verifyEd25519(pubKey, agentKeySignBytes(ctx.block.chainId, validator, pubKey), signature))
    throw classifierError.badSignature()
}

/** Gives an operator an agent key in place of the one it had. Throws classifier/9 where it is another's. */
export function setAgentKey(ctx: Context, operator: Address, pubKey: Uint8Array): void {
  const owner = operatorOfAgentKey(ctx, pubKey)
  if (owner !== undefined && !equalBytes(owner, operator)) throw classifierError.agentKeyTaken()
  const before = state.agentKeys.get(ctx, operator)
  if (before !== undefined) state.agentKeyOwners.delete(ctx, before)
  state.agentKeys.set(ctx, operator, pubKey)
  state.agentKeyOwners.set(ctx, pubKey, operator)
}

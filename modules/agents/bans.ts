import { type Address, formatAddress, parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { concatBytes, equalBytes, toHex, utf8 } from '../../core/bytes.ts'
import { addressKey, part } from '../../core/collections.ts'
import type { Context } from '../../core/context.ts'
import { emitTyped } from '../../core/typed-event.ts'
import type { Ban, BanMark } from '../../proto/gen/fornax/agents/v1/agents.ts'
import { EventBanLifted, EventBanMark } from '../../proto/gen/fornax/agents/v1/events.ts'
import type { MsgSubmitBanMark } from '../../proto/gen/fornax/agents/v1/tx.ts'
import * as classifier from '../classifier/api.ts'
import * as slashing from '../slashing/api.ts'
import * as staking from '../staking/api.ts'
import { agentsError } from './errors.ts'
import { endJail } from './jail.ts'
import { demote } from './pools.ts'
import * as state from './state.ts'

/** The bytes that an issuer's agent key signs: `fornax/ban-mark` and the mark's fields, a line each. */
export const banMarkSignBytes = (mark: BanMark): Uint8Array =>
  utf8(
    [
      'fornax/ban-mark',
      mark.chainId,
      mark.node,
      mark.height,
      mark.reason,
      mark.score,
      toHex(mark.modelHash),
      mark.issuer,
    ].join('\n'),
  )

/** A validator's ban with the marks under it. */
export function banOf(ctx: Context, operator: Address): Ban | undefined {
  const ban = state.bans.get(ctx, operator)
  if (ban === undefined) return undefined
  const marks = [...state.banMarks.entries(ctx, part(addressKey, operator))].map(([, mark]) => mark)
  return { ...ban, marks }
}

/** Bans in the order of their operators, up to `limit`, those behind `after` only. */
export function listBans(ctx: Context, limit: number, after?: Address): Ban[] {
  const range = after === undefined ? {} : { from: concatBytes(addressKey.encode(after), Uint8Array.of(0)) }
  const bans: Ban[] = []
  for (const [operator] of state.bans.entries(ctx, undefined, range)) {
    if (bans.length === limit) break
    bans.push(banOf(ctx, operator)!)
  }
  return bans
}

/** Bans of others that an issuer has not marked, without the marks there are. */
export const bansToMark = (ctx: Context, issuer: Address): Ban[] =>
  [...state.bans.entries(ctx)]
    .filter(([node]) => !equalBytes(node, issuer) && !state.banMarks.has(ctx, [node, issuer]))
    .map(([, ban]) => ban)

/** The banned validator's ban. Throws agents/2. */
export function requireBan(ctx: Context, operator: Address): Ban {
  const ban = banOf(ctx, operator)
  if (ban === undefined) throw agentsError.notBanned(formatAddress(operator, VALIDATOR_PREFIX))
  return ban
}

/** The mark that an issuer is to sign for a ban. */
export const markOf = (chainId: string, ban: Ban, issuer: string): BanMark => ({
  chainId,
  node: ban.node,
  height: ban.height,
  reason: ban.reason,
  score: ban.score,
  modelHash: ban.modelHash,
  issuer,
})

/**
 * Checks a ban mark's own signature: the transaction that carries it has none. Throws agents/2 to agents/6, classifier/2,
 * classifier/6.
 */
export function authenticateMark(ctx: Context, { validator, mark, signature }: MsgSubmitBanMark): void {
  const issuer = parseAddress(validator, VALIDATOR_PREFIX)
  const node = parseAddress(mark.node, VALIDATOR_PREFIX)
  const ban = requireBan(ctx, node)
  const expected = banMarkSignBytes(markOf(ctx.block.chainId, ban, validator))
  if (!equalBytes(banMarkSignBytes(mark), expected)) throw agentsError.badMark()
  if (classifier.recordOf(ctx, issuer) === undefined) throw agentsError.notInSet()
  if (state.banMarks.has(ctx, [node, issuer])) throw agentsError.markExists()
  classifier.takeAgentTurn(ctx, issuer)
  if (!classifier.isSignedByAgent(ctx, issuer, expected, signature)) throw agentsError.badSignature()
}

export function storeMark(ctx: Context, { validator, mark, signature }: MsgSubmitBanMark): void {
  const issuer = parseAddress(validator, VALIDATOR_PREFIX)
  const node = parseAddress(mark.node, VALIDATOR_PREFIX)
  state.banMarks.set(ctx, [node, issuer], {
    mark,
    pubKey: classifier.requireAgentKey(ctx, issuer),
    signature,
  })
  emitTyped(ctx, EventBanMark, { node: mark.node, issuer: validator })
}

/** Undoes a ban: the validator may leave jail, and begins again in Horizon. Throws agents/2. */
export function liftBan(ctx: Context, operator: Address): void {
  requireBan(ctx, operator)
  state.bans.delete(ctx, operator)
  for (const [key] of [...state.banMarks.entries(ctx, part(addressKey, operator))])
    state.banMarks.delete(ctx, key)
  endJail(ctx, operator)
  if (staking.validator(ctx, operator) !== undefined) slashing.pardon(ctx, operator)
  classifier.forgetEvidence(ctx, operator)
  demote(ctx, operator)
  emitTyped(ctx, EventBanLifted, { node: formatAddress(operator, VALIDATOR_PREFIX) })
}

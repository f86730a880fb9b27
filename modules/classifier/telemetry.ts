import { type Address, formatAddress, parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { concatBytes, equalBytes, utf8 } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { verifiesByOpenSsl, verifyEd25519 } from '../../core/crypto/ed25519.ts'
import { sdk } from '../../core/error.ts'
import { emitTyped } from '../../core/typed-event.ts'
import { EventMetricsSubmitted } from '../../proto/gen/fornax/classifier/v1/events.ts'
import type { MsgSubmitMetrics } from '../../proto/gen/fornax/classifier/v1/tx.ts'
import { lastPower } from '../staking/api.ts'
import { classifierError } from './errors.ts'
import { params } from './params.ts'
import * as state from './state.ts'
import { parseValidator, readTelemetry } from './telemetry-body.ts'

const LINE = Uint8Array.of(10)

/** What an agent key signs of a submission: a line each, the body as it stands. */
export const telemetrySignBytes = (chainId: string, timestampMs: bigint, body: Uint8Array): Uint8Array =>
  concatBytes(utf8('fornax/metrics'), LINE, utf8(chainId), LINE, utf8(timestampMs.toString()), LINE, body)

/** The agent key of a validator. Throws classifier/2. */
export function requireAgentKey(ctx: Context, operator: Address): Uint8Array {
  const key = state.agentKeys.get(ctx, operator)
  if (key === undefined) throw classifierError.noAgentKey(formatAddress(operator, VALIDATOR_PREFIX))
  return key
}

/**
 * Lets a validator's agent key put one more transaction into this block without a fee. Throws classifier/6 where it had
 * its share. `timestampMs` stays as that of the last submission, whatever becomes of the message.
 */
export function takeAgentTurn(ctx: Context, operator: Address, timestampMs?: bigint): void {
  const last = state.agentTurns.get(ctx, operator)
  const count = last?.height === ctx.height ? last.count + 1 : 1
  if (count > params(ctx).maxAgentTxs) throw classifierError.tooManyAgentTxs()
  const turns = { height: ctx.height, count, timestampMs: timestampMs ?? last?.timestampMs ?? 0n }
  state.agentTurns.set(ctx, operator, turns)
}

/** Whether a validator's agent key signed the bytes. Throws classifier/2 where it has none. */
export function isSignedByAgent(
  ctx: Context,
  operator: Address,
  bytes: Uint8Array,
  signature: Uint8Array,
): boolean {
  const key = requireAgentKey(ctx, operator)
  if (ctx.mode === 'recheck') return true
  return ctx.mode === 'check'
    ? verifiesByOpenSsl(key, bytes, signature)
    : verifyEd25519(key, bytes, signature)
}

/** When a validator's last submission was made, as its agent says; 0 before the first. */
function lastSubmission(ctx: Context, operator: Address): bigint {
  const stored = state.telemetry.get(ctx, operator)?.timestampMs ?? 0n
  const taken = state.agentTurns.get(ctx, operator)?.timestampMs ?? 0n
  return taken > stored ? taken : stored
}

/** What takes a transaction's signature's place: the agent key's, and a time later than the last one's. */
export function authenticateTelemetry(ctx: Context, message: MsgSubmitMetrics): void {
  const operator = parseAddress(message.validator, VALIDATOR_PREFIX)
  // It is not signed, and capitals would make another transaction of the same submission.
  if (message.validator !== formatAddress(operator, VALIDATOR_PREFIX))
    throw sdk.invalidAddress('a validator’s address is in small letters here', { address: message.validator })
  const { node } = readTelemetry(message.body)
  if (!equalBytes(parseValidator(node), operator))
    throw classifierError.badMetrics('node is another validator')
  const { timestampMs, body, signature } = message
  const drift = timestampMs - ctx.timeNs / 1_000_000n
  const most = BigInt(params(ctx).maxClockDrift) * 1_000n
  if (drift > most || drift < -most || timestampMs <= lastSubmission(ctx, operator))
    throw classifierError.staleSubmission()
  // Anybody may have, or have had, a validator for next to nothing, which would have room in blocks for nothing at all.
  if (lastPower(ctx, operator) === 0n) throw classifierError.notInSet(message.validator)
  takeAgentTurn(ctx, operator, timestampMs)
  if (!isSignedByAgent(ctx, operator, telemetrySignBytes(ctx.block.chainId, timestampMs, body), signature))
    throw classifierError.badSignature()
}

/** Stores the telemetry of a submission; the last one in a block counts. */
export function storeTelemetry(ctx: Context, { validator, body, timestampMs }: MsgSubmitMetrics): void {
  const { telemetry } = readTelemetry(body)
  const operator = parseAddress(validator, VALIDATOR_PREFIX)
  state.telemetry.set(ctx, operator, { ...telemetry, height: ctx.height, timestampMs })
  emitTyped(ctx, EventMetricsSubmitted, { validator })
}

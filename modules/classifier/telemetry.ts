import { type Address, formatAddress, parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { concatBytes, equalBytes, fromUtf8, utf8 } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { verifiesByOpenSsl, verifyEd25519 } from '../../core/crypto/ed25519.ts'
import { rethrowExhaustion, sdk } from '../../core/error.ts'
import { emitTyped } from '../../core/typed-event.ts'
import type { Metrics } from '../../proto/gen/fornax/classifier/v1/classifier.ts'
import { EventMetricsSubmitted } from '../../proto/gen/fornax/classifier/v1/events.ts'
import type { MsgSubmitMetrics } from '../../proto/gen/fornax/classifier/v1/tx.ts'
import { lastPower } from '../staking/api.ts'
import { classifierError } from './errors.ts'
import { params } from './params.ts'
import * as state from './state.ts'

/** The body of `POST /agents/metrics`. */
export interface TelemetryBody {
  /** Operator or account address. */
  readonly node: string
  readonly cpu_pct: number
  readonly latency_ms: number
  readonly connections: number
  readonly net_contrib: number
}

export const MAX_TELEMETRY_BYTES = 1_024
/** Of each value the most; the least is 0. */
export const TELEMETRY_LIMITS = [
  ['cpu_pct', 100],
  ['latency_ms', 60_000],
  ['connections', 1_000_000],
  ['net_contrib', 1_000_000_000],
] as const
const FIELDS = new Set(['node', ...TELEMETRY_LIMITS.map(([name]) => name)])

/** The operator that an operator's or an account's address names. Throws sdk/7. */
export function parseValidator(text: string): Address {
  return text.startsWith(VALIDATOR_PREFIX) ? parseAddress(text, VALIDATOR_PREFIX) : parseAddress(text)
}

/** Reads a submission's body. Throws classifier/4 with the faulty field, sdk/7 for the address. */
export function readTelemetry(bytes: Uint8Array): TelemetryBody {
  if (bytes.length > MAX_TELEMETRY_BYTES)
    throw classifierError.badMetrics(`a body has at most ${MAX_TELEMETRY_BYTES} bytes`)
  let body: Record<string, unknown>
  try {
    body = JSON.parse(fromUtf8(bytes))
  } catch (error) {
    rethrowExhaustion(error)
    throw classifierError.badMetrics('the body is not JSON')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw classifierError.badMetrics('the body is not an object')
  for (const name of Object.keys(body))
    if (!FIELDS.has(name)) throw classifierError.badMetrics(`unknown field ${name.slice(0, 80)}`)
  if (typeof body['node'] !== 'string') throw classifierError.badMetrics('node must be an address')
  parseValidator(body['node'])
  for (const [name, most] of TELEMETRY_LIMITS) {
    const value = body[name]
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0 || value > most)
      throw classifierError.badMetrics(`${name} must be a number from 0 to ${most}`)
  }
  if (!Number.isInteger(body['connections']))
    throw classifierError.badMetrics('connections must be an integer')
  return body as unknown as TelemetryBody
}

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
  const m = readTelemetry(body)
  const telemetry: Metrics = {
    cpu: Math.round(m.cpu_pct * 100),
    latencyUs: Math.round(m.latency_ms * 1_000),
    connections: m.connections,
    netContrib: BigInt(Math.round(m.net_contrib * 1_000)),
    height: ctx.height,
    timestampMs,
  }
  state.telemetry.set(ctx, parseAddress(validator, VALIDATOR_PREFIX), telemetry)
  emitTyped(ctx, EventMetricsSubmitted, { validator })
}

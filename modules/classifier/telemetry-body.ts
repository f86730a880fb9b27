import { type Address, hasPrefix, parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { fromUtf8 } from '../../core/bytes.ts'
import { rethrowExhaustion, sdk } from '../../core/error.ts'
import type { Metrics } from '../../proto/gen/fornax/classifier/v1/classifier.ts'
import { classifierError } from './errors.ts'
import { type FixedPoint, fixedPoint } from './fixed-point.ts'

/** The body of `POST /agents/metrics`. */
export interface TelemetryBody {
  /** Operator or account address. */
  readonly node: string
  readonly cpu_pct: number
  readonly latency_ms: number
  readonly connections: number
  readonly net_contrib: number
}

/** What the chain keeps of a body: its numbers as integers of their units. */
export interface ReadTelemetry {
  readonly node: string
  readonly telemetry: Pick<Metrics, 'cpu' | 'latencyUs' | 'connections' | 'netContrib'>
}

export const MAX_TELEMETRY_BYTES = 1_024
/** Of each number the most, and the decimal places that are kept; the least is 0. */
export const TELEMETRY_LIMITS = [
  ['cpu_pct', 100, 2],
  ['latency_ms', 60_000, 3],
  ['connections', 1_000_000, 0],
  ['net_contrib', 1_000_000_000, 3],
] as const
const FIELDS = new Set(['node', ...TELEMETRY_LIMITS.map(([name]) => name)])

/** The operator that an operator's or an account's address names. Throws sdk/7. */
export function parseValidator(text: string): Address {
  return hasPrefix(text, VALIDATOR_PREFIX) ? parseAddress(text, VALIDATOR_PREFIX) : parseAddress(text)
}

/** Reads a metrics body. Throws classifier/4 with the faulty field, sdk/7 for the address. */
export function readTelemetry(bytes: Uint8Array): ReadTelemetry {
  if (bytes.length > MAX_TELEMETRY_BYTES)
    throw classifierError.badMetrics(`a body has at most ${MAX_TELEMETRY_BYTES} bytes`)
  let text: string
  let body: Record<string, unknown>
  try {
    text = fromUtf8(bytes)
    body = JSON.parse(text)
  } catch (error) {
    rethrowExhaustion(error)
    throw classifierError.badMetrics('the body is not JSON')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw classifierError.badMetrics('the body is not an object')
  for (const name of Object.keys(body))
    if (!FIELDS.has(name)) throw classifierError.badMetrics(`unknown field ${name.slice(0, 80)}`)
  if (typeof body['node'] !== 'string') throw classifierError.badMetrics('node must be an address')
  if (body['node'].startsWith(VALIDATOR_PREFIX.toUpperCase()))
    throw sdk.invalidAddress('an operator address is in small letters here', { address: body['node'] })
  parseValidator(body['node'])
  const values = valueTexts(text)
  const [cpu, latency, connections, netContrib] = TELEMETRY_LIMITS.map(([name, most, places]) => {
    const number = typeof body[name] === 'number' ? fixedPoint(values.get(name)!, most, places) : undefined
    if (number === undefined) throw classifierError.badMetrics(`${name} must be a number from 0 to ${most}`)
    return number
  }) as [FixedPoint, FixedPoint, FixedPoint, FixedPoint]
  if (!connections.isExact) throw classifierError.badMetrics('connections must be an integer')
  return {
    node: body['node'],
    telemetry: {
      cpu: cpu.units,
      latencyUs: latency.units,
      connections: connections.units,
      netContrib: BigInt(netContrib.units),
    },
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g

/**
 * How the values of an object are written that are neither objects nor lists, the last one of a name, as JSON.parse takes
 * it. `json` is an object that JSON.parse took.
 */
function valueTexts(json: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  let depth = 0
  let before = ''
  let name = ''
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    else if (depth === 1 && before === ':') texts.set(name, token)
    else if (depth === 1 && token !== ':' && token !== ',') name = JSON.parse(token)
    before = token
  }
  return texts
}

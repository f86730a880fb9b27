import type { BlockAge } from '../../../block-age.ts'
import { FAULTS, type TelemetryStatus, type TelemetryWatch } from '../../../validator/telemetry-watch.ts'
import { type JsonSchema, objectSchema, type Route } from '../route.ts'

const text: JsonSchema = { type: 'string' }
const height: JsonSchema = { type: 'integer', minimum: 0 }
const value: JsonSchema = { type: 'number', minimum: 0 }
const toldTelemetry = objectSchema({
  height,
  cpu_pct: value,
  latency_ms: value,
  connections: { type: 'integer', minimum: 0 },
  net_contrib: value,
})

/** `GET /agents/telemetry`: what this node has found of its own validator's telemetry. */
export function telemetryRoute(
  watch: Pick<TelemetryWatch, 'status'>,
  blockAge: Pick<BlockAge, 'ms' | 'isStall'>,
): Route {
  return {
    method: 'GET',
    path: '/agents/telemetry',
    tag: 'Agents',
    summary: "What is wrong with this node's telemetry",
    description:
      'Of the validator whose agent key this node holds: what the chain was last told of its host, and what of that cannot be.',
    answers: {
      200: {
        description:
          '`validator` is null where the key is no validator’s, `last` where nothing was told yet; `clock_ms` is the node’s clock less the last block’s time when that block came. `block_age_ms` is how long there has been no block, `stalled` whether so long that the network, or this node, stands still.',
        schema: objectSchema({
          validator: { type: ['string', 'null'] },
          height,
          last: { anyOf: [toldTelemetry, { type: 'null' }] },
          clock_ms: { type: ['number', 'null'] },
          block_age_ms: value,
          stalled: { type: 'boolean' },
          findings: {
            type: 'array',
            items: objectSchema({ fault: { type: 'string', enum: [...FAULTS] }, what: text, remedy: text }),
          },
        }),
      },
    },
    run: () => ({
      status: 200,
      body: {
        ...telemetryJson(watch.status),
        block_age_ms: Math.round(blockAge.ms),
        stalled: blockAge.isStall,
      },
    }),
  }
}

const telemetryJson = ({ validator, height, last, clockMs, findings }: TelemetryStatus) => ({
  validator: validator ?? null,
  height: Number(height),
  last: last
    ? {
        height: Number(last.height),
        cpu_pct: last.cpuPct,
        latency_ms: last.latencyMs,
        connections: last.connections,
        net_contrib: last.netContrib,
      }
    : null,
  clock_ms: clockMs ?? null,
  findings: findings.map(({ fault, what, remedy }) => ({ fault, what, remedy })),
})

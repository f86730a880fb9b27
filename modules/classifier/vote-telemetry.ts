import type { Address } from '../../core/address.ts'
import { toLatin1 } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { rosterOf } from './roster.ts'
import * as state from './state.ts'
import { type ReadTelemetry, TELEMETRY_LIMITS } from './telemetry-body.ts'

type Telemetry = ReadTelemetry['telemetry']

export const VOTE_TELEMETRY_BYTES = 18

const [CPU, LATENCY, CONNECTIONS, NET_CONTRIB] = TELEMETRY_LIMITS.map(([, most, places]) =>
  Number(BigInt(most) * 10n ** BigInt(places)),
) as [number, number, number, number]

/** cpu in 2 bytes, latency and connections in 4 each, net_contrib in 8, big-endian, each in the units of `Metrics`. */
export function encodeVoteTelemetry({ cpu, latencyUs, connections, netContrib }: Telemetry): Uint8Array {
  const out = new Uint8Array(VOTE_TELEMETRY_BYTES)
  const view = new DataView(out.buffer)
  view.setUint16(0, cpu)
  view.setUint32(2, latencyUs)
  view.setUint32(6, connections)
  view.setBigUint64(10, netContrib)
  return out
}

/** Nothing where the bytes are no telemetry, or a number of it is beyond its limit. */
export function decodeVoteTelemetry(bytes: Uint8Array): Telemetry | undefined {
  if (bytes.length !== VOTE_TELEMETRY_BYTES) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const cpu = view.getUint16(0)
  const latencyUs = view.getUint32(2)
  const connections = view.getUint32(6)
  const netContrib = view.getBigUint64(10)
  const isWithin =
    cpu <= CPU && latencyUs <= LATENCY && connections <= CONNECTIONS && netContrib <= BigInt(NET_CONTRIB)
  return isWithin ? { cpu, latencyUs, connections, netContrib } : undefined
}

/** Stores what the block's votes tell of their validators' hosts. A transaction of the same block comes after it. */
export function storeVoteTelemetry(ctx: Context): void {
  const members = new Map(rosterOf(ctx).records.map((record) => [toLatin1(record.address), record]))
  for (const { address, flag, extension } of ctx.block.votes) {
    if (flag !== 'commit' || extension === undefined) continue
    const told = decodeVoteTelemetry(extension.telemetry)
    const record = members.get(toLatin1(address))
    if (told === undefined || record === undefined || record.leftAt !== 0n) continue
    const operator = record.operator as Address
    const timestampMs = state.telemetry.get(ctx, operator)?.timestampMs ?? 0n
    state.telemetry.set(ctx, operator, { ...told, height: ctx.height, timestampMs })
  }
}

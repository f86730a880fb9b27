import { NO_BYTES } from '../../core/bytes.ts'
import type { VoteExtension } from '../../core/context.ts'
import { decodeReport, MAX_REPORT_BYTES } from './report.ts'
import { decodeVoteTelemetry, VOTE_TELEMETRY_BYTES } from './vote-telemetry.ts'

const LENGTH = 2
export const MAX_VOTE_EXTENSION_BYTES = LENGTH + MAX_REPORT_BYTES + VOTE_TELEMETRY_BYTES

/** The report's length in two bytes, big-endian, the report, and the telemetry; no bytes where both are empty. */
export function joinVoteExtension({ report, telemetry }: VoteExtension): Uint8Array {
  if (report.length === 0 && telemetry.length === 0) return NO_BYTES
  const out = new Uint8Array(LENGTH + report.length + telemetry.length)
  new DataView(out.buffer).setUint16(0, report.length)
  out.set(report, LENGTH)
  out.set(telemetry, LENGTH + report.length)
  return out
}

/** What `joinVoteExtension` joined; nothing where the bytes are no extension. A part may be empty: it says nothing. */
export function splitVoteExtension(bytes: Uint8Array): VoteExtension | undefined {
  if (bytes.length === 0) return { report: NO_BYTES, telemetry: NO_BYTES }
  if (bytes.length <= LENGTH || bytes.length > MAX_VOTE_EXTENSION_BYTES) return undefined
  const end = LENGTH + new DataView(bytes.buffer, bytes.byteOffset).getUint16(0)
  if (end > bytes.length) return undefined
  const report = bytes.subarray(LENGTH, end)
  const telemetry = bytes.subarray(end)
  if (report.length > 0 && decodeReport(report) === undefined) return undefined
  if (telemetry.length > 0 && decodeVoteTelemetry(telemetry) === undefined) return undefined
  return { report, telemetry }
}

import { NO_BYTES } from '../../core/bytes.ts'
import {
  encodeVoteTelemetry,
  type ReadTelemetry,
  TELEMETRY_LIMITS,
  type TelemetryBody,
} from '../../modules/classifier/api.ts'
import type { OwnTelemetry as InVotes } from '../app/chain.ts'

/** What is older is not told any more: a validator that was out of the set comes back to another host's load. */
const FRESH_MS = 60_000

/** What this node tells of its host in its votes: the last sample, or in one vote what was posted in its place. */
export class OwnTelemetry implements InVotes {
  readonly #now: () => number
  #sample: { readonly bytes: Uint8Array; readonly at: number } | undefined
  #posted: { readonly bytes: Uint8Array; readonly at: number; height: bigint | undefined } | undefined
  #askedAt = Number.NEGATIVE_INFINITY

  /** `now` in milliseconds, of a clock that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Whether the node has voted with an extension a short while ago, as validators of the set do. */
  get isAsked(): boolean {
    return this.#now() - this.#askedAt < FRESH_MS
  }

  forVote(height: bigint): Uint8Array {
    this.#askedAt = this.#now()
    if (this.#posted !== undefined && this.#isFresh(this.#posted)) {
      this.#posted.height ??= height
      if (this.#posted.height >= height) return this.#posted.bytes
    }
    this.#posted = undefined
    return this.#sample && this.#isFresh(this.#sample) ? this.#sample.bytes : NO_BYTES
  }

  #isFresh({ at }: { readonly at: number }): boolean {
    return this.#now() - at < FRESH_MS
  }

  /** Takes a sample of the host, for the votes until the next. */
  sample(telemetry: Omit<TelemetryBody, 'node'>): void {
    const [cpu, latencyUs, connections, netContrib] = TELEMETRY_LIMITS.map(([name, most, places]) =>
      Math.round(Math.min(most, Math.max(0, telemetry[name])) * 10 ** places),
    ) as [number, number, number, number]
    const bytes = encodeVoteTelemetry({ cpu, latencyUs, connections, netContrib: BigInt(netContrib) })
    this.#sample = { bytes, at: this.#now() }
  }

  /** Takes what somebody says of the host, for the next vote. */
  post(telemetry: ReadTelemetry['telemetry']): void {
    this.#posted = { bytes: encodeVoteTelemetry(telemetry), at: this.#now(), height: undefined }
  }
}

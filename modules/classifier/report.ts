/** A validator's report, which its vote extension carries: the scores of its own run of the model, in the roster's order. */
export interface Report {
  readonly modelPrefix: Uint8Array
  readonly featuresPrefix: Uint8Array
  /** 0 … 10,000 each. */
  readonly scores: readonly number[]
}

/**
 * Blocks from the state that reports are on to the block that carries them. What block H leaves is known to those who vote
 * on H + 1, and only the block after that, H + 2, can carry what they said as they voted.
 */
export const REPORT_DELAY = 2n

const VERSION = 1
const PREFIX = 8
const HEAD = 1 + 2 * PREFIX
export const MAX_SCORE = 10_000
/** Validators that a report can speak of; a larger roster is not scored. */
export const MAX_SCORES = 240
export const MAX_REPORT_BYTES = HEAD + 2 * MAX_SCORES

/**
 * One byte of version, 8 of the model's sha256, 8 of the features' sha256, two a score, big-endian. Throws where there
 * are more scores than a report can hold.
 */
export function encodeReport(
  modelHash: Uint8Array,
  featuresHash: Uint8Array,
  scores: readonly number[],
): Uint8Array {
  if (scores.length > MAX_SCORES)
    throw new Error(`a report holds ${MAX_SCORES} scores at most, the roster has ${scores.length} validators`)
  const out = new Uint8Array(HEAD + 2 * scores.length)
  out[0] = VERSION
  out.set(modelHash.subarray(0, PREFIX), 1)
  out.set(featuresHash.subarray(0, PREFIX), 1 + PREFIX)
  const view = new DataView(out.buffer)
  for (const [i, score] of scores.entries()) view.setUint16(HEAD + 2 * i, score)
  return out
}

/** The report in a vote extension; nothing where the bytes are none. */
export function decodeReport(bytes: Uint8Array): Report | undefined {
  if (bytes.length < HEAD || bytes.length > MAX_REPORT_BYTES || bytes[0] !== VERSION) return undefined
  if ((bytes.length - HEAD) % 2 !== 0) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const scores: number[] = []
  for (let at = HEAD; at < bytes.length; at += 2) {
    const score = view.getUint16(at)
    if (score > MAX_SCORE) return undefined
    scores.push(score)
  }
  return {
    modelPrefix: bytes.subarray(1, 1 + PREFIX),
    featuresPrefix: bytes.subarray(1 + PREFIX, HEAD),
    scores,
  }
}

import { decodeReport, encodeReport } from '../../../modules/classifier/api.ts'

/** A report with one validator's score changed; `place` is its place on the roster. */
export function withScore(report: Uint8Array, place: number, score: number): Uint8Array {
  const { modelPrefix, featuresPrefix, scores } = decodeReport(report)!
  return encodeReport(modelPrefix, featuresPrefix, scores.with(place, score))
}

import type { FeatureRow } from '../../modules/classifier/api.ts'

/** A loaded model. */
export interface Engine {
  /** A score of 0 … 10,000 for each row. Rejects where the model's answer is no such thing. */
  scores(rows: readonly FeatureRow[]): Promise<number[]>
}

const MAX_SCORE = 10_000

/** Opens a model file of docs/classifier.md's form in ONNX Runtime, on one thread. */
export async function openEngine(path: string, features: number): Promise<Engine> {
  // Loaded here: the library is large, and most commands run no model.
  const { InferenceSession, Tensor } = await import('onnxruntime-node')
  const session = await InferenceSession.create(path, {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  })
  return {
    async scores(rows) {
      if (rows.length === 0) return []
      const input = new Float64Array(rows.length * features)
      for (const [i, row] of rows.entries()) input.set(row, i * features)
      const { score } = await session.run({
        features: new Tensor('float64', input, [rows.length, features]),
      })
      const scores = Array.from(score?.data as Float64Array)
      if (scores.length !== rows.length || !scores.every(isScore))
        throw new Error('the model answered with something else than scores')
      return scores
    },
  }
}

const isScore = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= MAX_SCORE

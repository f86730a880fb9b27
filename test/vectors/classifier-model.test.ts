import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import fc from 'fast-check'
import { sha256, toHex } from '../../core/bytes.ts'
import { type Engine, openEngine } from '../../daemon/classifier/engine.ts'
import { FEATURES } from '../../modules/classifier/api.ts'
import { forwardPass, type Weights, weights } from '../kit/classifier/forward-pass.ts'

const MODEL = 'model/model.onnx'

function goldenVectors(): { rows: number[][]; scores: number[] } {
  const [head, ...lines] = readFileSync('model/golden-vectors.csv', 'utf8').trim().split('\n')
  expect(head!.split(',').slice(0, -1)).to.deep.equal(FEATURES.map(([name]) => name))
  const table = lines.map((line) => line.split(',').map(Number))
  return { rows: table.map((row) => row.slice(0, -1)), scores: table.map((row) => row.at(-1)!) }
}

describe('The model', function () {
  this.timeout(60_000)
  const { rows, scores } = goldenVectors()
  let engine: Engine
  before(async () => {
    engine = await openEngine(MODEL, FEATURES.length)
  })

  it('is the file whose hash stands beside it, for the features that the chain makes', () => {
    expect(readFileSync('model/model.sha256', 'utf8').split(/\s/)[0]).to.equal(
      toHex(sha256(readFileSync(MODEL))),
    )
    expect(weights.features).to.deep.equal(
      FEATURES.map(([name, lowest, highest]) => ({ name, lowest, highest })),
    )
  })

  it('scores each of 10,000 golden vectors and more as they say, all at once', async () => {
    expect(rows.length).to.be.at.least(10_000)
    expect(await engine.scores(rows)).to.deep.equal(scores)
  })

  it('scores them the same alone and in batches of any size', async () => {
    for (let at = 0, size = 1; at < rows.length; at += size, size = (size % 175) + 1)
      expect(await engine.scores(rows.slice(at, at + size))).to.deep.equal(scores.slice(at, at + size))
    for (let i = 0; i < rows.length; i += 97)
      expect(await engine.scores([rows[i]!])).to.deep.equal([scores[i]])
  })

  it('is what plain integer arithmetic makes of its weights, on golden vectors', () => {
    expect(rows.map((row) => forwardPass(row))).to.deep.equal(scores)
  })

  it('and on any features, those beyond their clamps too', async () => {
    const row = fc.tuple(
      ...FEATURES.map(([, low, high]) =>
        fc.oneof(fc.integer({ min: low, max: high }), fc.constantFrom(low, high, low - 1, high + 1)),
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), async (some) => {
        expect(await engine.scores(some)).to.deep.equal(some.map((r) => forwardPass(r)))
      }),
      { numRuns: 100, seed: 3 },
    )
  })

  it('cannot come to a sum of 2^53 or more in any order, whatever the features', () => {
    for (const bound of [...boundsOf(weights, weights.conduct), ...boundsOf(weights, weights.signs)])
      expect(bound < 2n ** 53n, `${bound}`).to.equal(true)
  })

  it('never calls anybody Heavy for telemetry, and changes nothing of who is', async () => {
    const telemetry = FEATURES.findIndex(([name]) => name === 'cpu')
    const ends = FEATURES.slice(telemetry).map(([, low, high]) => [low, high, Math.floor(high / 3)])
    const lies = ends.reduce<number[][]>(
      (all, values) => all.flatMap((lie) => values.map((v) => [...lie, v])),
      [[]],
    )
    for (let i = 0; i < rows.length; i += 53) {
      const conduct = rows[i]!.slice(0, telemetry)
      const tiers = new Set((await engine.scores(lies.map((lie) => [...conduct, ...lie]))).map(tierOf))
      expect(tiers.size, JSON.stringify(conduct)).to.equal(1)
    }
  })

  it('is refused where the file is no model', async () => {
    expect(await rejection(openEngine('model/weights.json', FEATURES.length))).to.be.instanceOf(Error)
  })
})

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

const tierOf = (score: number): string => (score >= 8_000 ? 'ban' : score >= 7_000 ? 'heavy' : 'moderate')

/**
 * Interval analysis: |bias| + Σ |weight| × the input's largest value bounds every partial sum of a layer; the input of
 * the next is clipped.
 */
function* boundsOf(w: Weights, { columns, multipliers, weights: layers, biases, table }: Weights['conduct']) {
  const magnitude = (n: number): bigint => BigInt(Math.abs(n))
  let inputs = w.features
    .slice(columns[0], columns[1])
    .map((f, i) => magnitude(f.highest) * magnitude(multipliers[i]!))
  for (const [layer, weight] of layers.entries()) {
    for (const [j, bias] of biases[layer]!.entries())
      yield inputs.reduce((sum, most, i) => sum + most * magnitude(weight[i]![j]!), magnitude(bias))
    inputs = biases[layer]!.map(() => BigInt(w.ceiling) << BigInt(w.bits))
  }
  for (const [i, value] of table.entries())
    if (i > 0) yield magnitude(value - table[i - 1]!) << BigInt(w.bits - w.step_bits)
}

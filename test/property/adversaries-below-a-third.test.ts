import { expect } from 'chai'
import type { Strength } from '../kit/adversary/scenario.ts'
import { type Found, nothingYet, type Result, search } from '../kit/adversary/search.ts'

const seed = Number(process.env['ADVERSARY_SEED'] ?? 1)
const adversaries = Number(process.env['ADVERSARIES'] ?? 240)
/** Strategies that one gang tries. */
const TRIES = 20
/** Those of a gang that is to find what there is. */
const CONTROL_TRIES = 80
const CONTROLS = 8
const isLong = adversaries > 1_000

const told = ({ scenario, strategy, harm }: Found): string =>
  `${[...harm].map(([kind, what]) => `${kind} (${what})`).join(', ')}\n    ${JSON.stringify(scenario)}\n    ${JSON.stringify(strategy)}`

const figures = ({ adversaries, searches, blocks, score, cause, figure, disagreeing }: Result): string =>
  `${adversaries} adversaries in ${searches} searches, ${blocks} blocks: score of an honest validator ≤ ${score}, cause ≤ ${cause.toFixed(2)}${figure && ` (${figure})`}, disagreement ≤ ${disagreeing / 10} % of the power`

/** Searches on until there are so many adversaries. */
async function searched(
  strength: Strength,
  tries: number,
  isDone: (result: Result) => boolean,
): Promise<Result> {
  const result = nothingYet()
  const started = performance.now()
  for (let next = seed; !isDone(result); next++) {
    await search(next, strength, tries, result)
    if (isLong && result.searches % 50 === 0)
      console.log(`    ${((performance.now() - started) / 1000).toFixed(0)} s, ${figures(result)}`)
  }
  return result
}

describe('An adversary', () => {
  it(`below a third of the power harms no honest validator and degrades no round, ${adversaries} searching from seed ${seed}`, async function () {
    this.timeout(6 * 3_600_000)
    const result = await searched(
      'below a third',
      TRIES,
      (r) => r.adversaries >= adversaries || r.found.length > 0,
    )
    console.log(`    ${figures(result)}`)
    expect(result.found.map(told), `ADVERSARY_SEED=${seed + result.searches - 1}`).to.deep.equal([])
  })

  it('with 34 % of it does, in nearly every search: a round is degraded, or a score is forged', async function () {
    this.timeout(600_000)
    const result = await searched('beyond a third', CONTROL_TRIES, (r) => r.searches >= CONTROLS)
    console.log(`    ${figures(result)}`)
    const harms = result.found.flatMap(({ harm }) => [...harm.keys()])
    expect(result.found.length, `${result.adversaries} adversaries`).to.be.at.least(CONTROLS - 1)
    expect(harms).to.include('degraded round')
  })
})

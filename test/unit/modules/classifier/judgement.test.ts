import { expect } from 'chai'
import fc from 'fast-check'
import { judged, type Reporter } from '../../../kit/classifier/judged.ts'

const network = (powers: readonly number[], says: (n: number) => number[] | undefined): Reporter[] =>
  powers.map((power, n) => ({ power: BigInt(power), says: says(n) }))
const equal = (size: number): number[] => new Array(size).fill(100)
const all = (size: number, score: number): number[] => new Array(size).fill(score)

describe('Scores that reports agree on', () => {
  it('are what honest ones say while a third of the power is offline', () => {
    const { scores, scoreOf, verdicts } = judged(
      network(equal(9), (n) => (n < 3 ? undefined : all(9, 4_000))),
    )
    expect([scores.size, scoreOf(0), scoreOf(8)]).to.deep.equal([9, 4_000, 4_000])
    expect(verdicts).to.deep.equal([...all(3, 0).map(() => 'none'), ...all(6, 0).map(() => 'agrees')])
  })

  it('stand where no more than a third but the subject says anything', () => {
    const { scoreOf } = judged(network(equal(6), (n) => (n < 3 ? all(6, 4_000) : undefined)))
    expect([scoreOf(0), scoreOf(3)]).to.deep.equal([undefined, 4_000])
  })

  it('are not moved by 28 % who drop a third of the reports, on a victim of 16 % that speaks for itself', () => {
    // The median of those that spoke of the victim besides itself was the liars'.
    const powers = [400, ...new Array(7).fill(100), ...new Array(14).fill(100)]
    const lie = (n: number): number[] => all(22, 0).with(0, n >= 1 && n <= 7 ? 10_000 : 0)
    const { scoreOf, verdicts } = judged(network(powers, (n) => (n > 13 ? undefined : lie(n))))
    expect([scoreOf(0), verdicts[0], verdicts[8]]).to.deep.equal([undefined, 'agrees', 'agrees'])
  })

  it('are moved by 34 %, as they must be: below a third nobody moves them', () => {
    const lie = (n: number): number[] => all(50, 5_000).with(49, n < 17 ? 0 : 5_000)
    expect(judged(network(equal(50), lie)).scoreOf(49)).to.equal(0)
    const less = (n: number): number[] => all(50, 5_000).with(49, n < 16 ? 0 : 5_000)
    expect(judged(network(equal(50), less)).scoreOf(49)).to.equal(5_000)
  })

  it('strike nobody who errs on a subject whose score is not replaced', () => {
    // Beside the subject half of the power would be needed on one side, and each has a sixth.
    const says = (n: number): number[] | undefined => (n < 2 ? all(6, 0).with(5, n * 9_000) : undefined)
    const { scores, verdicts } = judged(network(equal(6), says))
    expect([scores.size, verdicts[0], verdicts[1]]).to.deep.equal([0, 'agrees', 'agrees'])
  })

  const power = fc.oneof(fc.constant(100), fc.integer({ min: 1, max: 10_000 }))
  const score = fc.oneof(fc.constantFrom(0, 3_000, 6_999, 10_000), fc.nat(10_000))
  it('say of everybody what honest reports say, or nothing, whatever less than a third does: as voters, reporters and proposer', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(power, score, fc.boolean(), fc.boolean(), fc.array(score, { maxLength: 6 })), {
          minLength: 4,
          maxLength: 40,
        }),
        (members) => {
          const total = members.reduce((sum, [p]) => sum + p, 0)
          const honest = members.map(([, s]) => s)
          let lying = 0
          let dropped = 0
          const reporters = members.map(([p, , isLiar, isDropped, lies]): Reporter & { liar: boolean } => {
            const power = BigInt(p)
            if (isLiar && 3 * (lying + p) < total) {
              lying += p
              const says = lies.length === 0 ? [] : honest.map((_, i) => lies[i % lies.length]!)
              return { power, says, liar: true }
            }
            // A block passes on more than two thirds.
            if (isDropped && 3 * (dropped + p) < total) {
              dropped += p
              return { power, liar: false }
            }
            return { power, says: honest, liar: false }
          })
          const { scoreOf, verdicts } = judged(reporters)
          for (const [n, { liar, says }] of reporters.entries()) {
            expect(scoreOf(n) ?? honest[n]).to.equal(honest[n])
            if (!liar && says !== undefined) expect(verdicts[n]).to.equal('agrees')
          }
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

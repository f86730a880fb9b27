import { expect } from 'chai'
import { reasonFor } from '../../../../modules/agents/evidence.ts'
import { Evidence } from '../../../../proto/gen/fornax/agents/v1/agents.ts'

const figure = (reason: string, value: number, causeFrom: number, heavyFrom = 0, banFrom = 0): Evidence =>
  Evidence.fromPartial({ reason, figure: 'any', value, causeFrom, heavyFrom, banFrom })

describe('The reason of a penalty', () => {
  const busy = figure('Overload', 1, 1)
  const stale = figure('StaleTelemetry', 200, 120)
  const omits = figure('Omission', 80, 50)
  const away = (votes: number): Evidence => figure('MissedVotes', votes, 32, 256)
  const lies = (marks: number): Evidence[] => [
    figure('Disagreement', marks, 8),
    figure('Disagreement', marks, 0, 14, 48),
  ]

  it('is the gravest cause below 0.70, subjective ones too', () => {
    expect(reasonFor([...lies(8), away(40), busy], 6_999)).to.equal('Disagreement')
    expect(reasonFor([...lies(7), away(40), busy], 0)).to.equal('MissedVotes')
    for (const only of [busy, stale, omits]) expect(reasonFor([only], 6_999)).to.equal(only.reason)
    expect(reasonFor([...lies(7), away(31)], 6_999)).to.equal(undefined)
  })

  it('is never subjective from 0.70 on', () => {
    for (const score of [7_000, 8_000, 10_000])
      expect(reasonFor([omits, stale, busy], score)).to.equal(undefined)
  })

  it('carries the score by figures of its own from 0.70 on: a lesser one of another reason is none', () => {
    expect(reasonFor([...lies(13), away(255), busy], 7_999)).to.equal(undefined)
    expect(reasonFor([...lies(13), away(256), busy], 7_999)).to.equal('MissedVotes')
    expect(reasonFor([...lies(14), away(256)], 7_999)).to.equal('Disagreement')
  })

  it('is what a ban can rest on from 0.80 on', () => {
    expect(reasonFor([...lies(47), away(512)], 8_000)).to.equal(undefined)
    expect(reasonFor([...lies(48), away(512)], 8_000)).to.equal('Disagreement')
    expect(reasonFor([figure('ByzantineVote', 1, 1, 1, 1), ...lies(0)], 10_000)).to.equal('ByzantineVote')
  })
})

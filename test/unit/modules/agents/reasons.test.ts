import { expect } from 'chai'
import type { Context } from '../../../../core/context.ts'
import { defaultParams } from '../../../../modules/agents/params.ts'
import { figuresOf, reasonFor } from '../../../../modules/agents/reasons.ts'
import { FEATURES, type FeatureName, witnessesOf } from '../../../../modules/classifier/api.ts'
import { Evidence, Standing } from '../../../../proto/gen/fornax/agents/v1/agents.ts'
import { Roster, ValidatorRecord } from '../../../../proto/gen/fornax/classifier/v1/classifier.ts'

const figure = (reason: string, value: number, causeFrom: number, heavyFrom = 0, banFrom = 0): Evidence =>
  Evidence.fromPartial({ reason, figure: 'any', value, causeFrom, heavyFrom, banFrom })

/** What there is against a validator with these features and strikes, which has been there for a day. */
function against(values: Partial<Record<FeatureName, number>>, disagreement = 0n): readonly Evidence[] {
  const record = ValidatorRecord.fromPartial({ age: 17_280, disagreement })
  const roster = Roster.fromPartial({ records: [record] })
  const subject = {
    record,
    row: FEATURES.map(([name, lowest]) => values[name] ?? lowest),
    roster,
    witnesses: witnessesOf(20_000n, roster),
    standing: Standing.fromPartial({}),
  }
  return figuresOf({ mode: 'query', height: 20_000n } as Context, subject, defaultParams())
}

describe('The reason of a penalty', () => {
  const busy = figure('Overload', 1, 1)
  const stale = figure('StaleTelemetry', 200, 120)
  const omits = figure('Omission', 80, 50)
  const away = (votes: number): Evidence => figure('MissedVotes', votes, 32, 256)
  const lies = (strikes: number): Evidence[] => [
    figure('Disagreement', strikes, 8),
    figure('Disagreement', strikes, 0, 14, 48),
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

  it('is found in averages too: of who misses a quarter of its votes or lies in a tenth of its reports for ever', () => {
    const often = { lost: 90, lost_long: 9_000 }
    expect(reasonFor(against(often), 7_999)).to.equal('MissedVotes')
    expect(reasonFor(against({ ...often, lost_long: 8_000 }), 7_999)).to.equal(undefined)
    expect(reasonFor(against({ lost: 20, lost_long: 9_000 }), 7_999)).to.equal(undefined)
    const seldom = { disagreement: 7, disagreement_long: 5_000 }
    expect(reasonFor(against(seldom, 0x7fn), 7_999)).to.equal('Disagreement')
    expect(reasonFor(against({ ...seldom, disagreement_long: 4_000 }, 0x7fn), 7_999)).to.equal(undefined)
  })

  it('is no average of reports alone: who lied and does no more is not punished again', () => {
    expect(reasonFor(against({ disagreement_long: 9_000 }), 7_999)).to.equal(undefined)
  })

  it('is what a ban can rest on from 0.80 on', () => {
    expect(reasonFor([...lies(47), away(512)], 8_000)).to.equal(undefined)
    expect(reasonFor([...lies(48), away(512)], 8_000)).to.equal('Disagreement')
    expect(reasonFor([figure('ByzantineVote', 1, 1, 1, 1), ...lies(0)], 10_000)).to.equal('ByzantineVote')
  })
})

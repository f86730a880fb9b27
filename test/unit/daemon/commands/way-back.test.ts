import { expect } from 'chai'
import { causesIn, wayBack } from '../../../../daemon/commands/way-back.ts'
import { Evidence } from '../../../../proto/gen/fornax/agents/v1/agents.ts'
import { QueryStandingResponse } from '../../../../proto/gen/fornax/agents/v1/query.ts'

const standing = (fields: object): QueryStandingResponse => QueryStandingResponse.fromPartial(fields)

describe('What an operator is told of a penalty', () => {
  it('is each figure that makes or carries a cause, with where it begins to', () => {
    const figures = [
      { reason: 'Disagreement', figure: 'new_disagreements', value: 9, causeFrom: 8 },
      { reason: 'Disagreement', figure: 'disagreements', value: 9, heavyFrom: 14, banFrom: 48 },
      { reason: 'MissedVotes', figure: 'long_missed_votes', value: 300, causeFrom: 32, heavyFrom: 256 },
    ]
    expect(causesIn(figures.map((figure) => Evidence.fromPartial(figure)))).to.deep.equal([
      'Disagreement: 9 of its last 64 reports far off since its last jail (a cause from 8)',
      'MissedVotes: 300 of the last 512 votes missed or nil that a third of the power could not have made up (a cause from 32, carries 70 % from 256)',
    ])
  })

  it('is in the units that people read', () => {
    const told = (figure: string, value: number, causeFrom: number): string =>
      causesIn([Evidence.fromPartial({ reason: 'Overload', figure, value, causeFrom })])[0]!
    expect(told('overload_cpu', 9_975, 9_500)).to.equal(
      'Overload: 99.75 % of its processors in use (a cause from 95 %)',
    )
    expect(told('overload_latency_ms', 2_100, 2_000)).to.include('2100 ms of latency (a cause from 2000 ms)')
    expect(told('overload_latency_ms', 10_000, 2_000)).to.include('10 s or more of latency')
    expect(told('missed_turns', 640, 512)).to.include(
      '2.5 turns to propose missed while it voted (a cause from 2)',
    )
    expect(told('missed_rate', 130, 125))
      .to.include('130 ‰ of its votes')
      .and.include('from 125 ‰')
  })

  it('is the way back from where it is', () => {
    const told = (fields: object): string => wayBack(standing(fields), 100n)
    expect(told({ banned: true })).to.include('MsgLiftBan')
    expect(told({ standing: { jailedUntil: 130n } }))
      .to.include('height 130')
      .and.include('unjail')
    expect(told({ standing: { horizonUntil: 190n }, pool: 'Horizon' })).to.include('until height 190')
    expect(told({ standing: { horizonUntil: 90n }, pool: 'Zenith' })).to.equal('nothing to come back from')
  })

  it('is why one in Horizon counts in another pool', () => {
    const told = (pool: string): string => wayBack(standing({ standing: { horizonUntil: 190n }, pool }), 100n)
    expect(told('Zenith')).to.include('counted as Zenith').and.include('2/3 of the power')
    expect(told('Horizon')).to.not.include('counted')
  })
})

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
      'Disagreement: 9 of its last 64 reports far off since it joined the set (a cause from 8)',
      'MissedVotes: 300 of the last 512 votes missed or nil that a third of the power could not have made up (a cause from 32, carries 70 % from 256)',
    ])
  })

  it('is the way back from where it is', () => {
    const told = (fields: object): string => wayBack(standing(fields), 100n)
    expect(told({ banned: true })).to.include('MsgLiftBan')
    expect(told({ standing: { jailedUntil: 130n } }))
      .to.include('height 130')
      .and.include('unjail')
    expect(told({ standing: { horizonUntil: 190n }, pool: 'Horizon' })).to.include('until height 190')
    expect(told({ standing: { horizonUntil: 90n }, pool: 'Zenith' })).to.equal('nothing to come back from')
    expect(told({ pool: '' })).to.include('unjail')
  })
})

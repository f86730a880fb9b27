import { expect } from 'chai'
import { denomOf, readAmounts, withFrx } from '../../../../daemon/client/amounts.ts'
import { FieldError } from '../../../../daemon/client/field-error.ts'

describe('Amounts on the command line', () => {
  it('are read in FRX, in afrx and in what else there is', () => {
    expect(readAmounts('1.5frx,7uatom, 2 ibc/AB')).to.deep.equal([
      { denom: 'afrx', amount: '1500000000000000000' },
      { denom: 'ibc/AB', amount: '2' },
      { denom: 'uatom', amount: '7' },
    ])
    expect(readAmounts('')).to.deep.equal([])
    expect(readAmounts('1factory/fornax1x/frxx')).to.have.length(1)
  })

  it('are refused with what to write instead', () => {
    for (const [text, why] of [
      ['5', '5 has no unit: write 5frx or 5afrx'],
      ['1.5', '1.5 has no unit: write 1.5frx'],
      ['1frx,5', '5 has no unit: write 5frx or 5afrx'],
      ['5frxx', 'frxx is no unit: there are frx and afrx, of which 10^18 are 1 FRX'],
      ['5AFRX', 'AFRX is no unit: there are frx and afrx, of which 10^18 are 1 FRX'],
      ['5ufrx', 'ufrx is no unit: there are frx and afrx, of which 10^18 are 1 FRX'],
      ['5fr', 'invalid denom: fr: invalid coins (an amount is such as 1.5frx or 10afrx)'],
      ['much', 'invalid coin expression: much: invalid coins (an amount is such as 1.5frx or 10afrx)'],
      ['0afrx', 'coin 0afrx amount is not positive: invalid coins'],
      ['-5frx', 'invalid coin expression: -5frx: invalid coins (an amount is such as 1.5frx or 10afrx)'],
    ] as const)
      expect(() => readAmounts(text), text)
        .to.throw(FieldError)
        .with.property('message', why)
  })

  it('name their coin as people do', () => {
    expect(['frx', 'FRX', 'afrx', 'uatom'].map(denomOf)).to.deep.equal(['afrx', 'afrx', 'afrx', 'uatom'])
    expect(() => denomOf('frxx')).to.throw(FieldError, 'frxx is no unit')
  })

  it('are told in FRX too where nobody can read them', () => {
    const refusal = 'spendable balance 9999999999999999999afrx is smaller than 100000000000000000000afrx'
    expect(withFrx(refusal)).to.equal(
      'spendable balance 9999999999999999999afrx (9.999999999999999999 FRX) is smaller than 100000000000000000000afrx (100 FRX)',
    )
    expect(withFrx('required: 200000000000000afrx')).to.equal('required: 200000000000000afrx (0.0002 FRX)')
    for (const text of [
      '5afrx',
      '999999999999afrx',
      '100000000000000000000uafrx',
      '1.0000000000000000afrx',
      `${'9'.repeat(90)}afrx`,
    ])
      expect(withFrx(text)).to.equal(text)
  })
})

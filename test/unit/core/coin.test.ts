import { expect } from 'chai'
import { parseCoins } from '../../../core/coin.ts'

describe('Coins as people type them', () => {
  const typed = (text: string) => parseCoins(text).map(({ amount, denom }) => `${amount}${denom}`)

  it('are in the smallest unit, also where FRX are meant', () => {
    const one = `${10n ** 18n}afrx`
    for (const text of ['1frx', '1FRX', ' 1 frx ', '1.0frx', '1.000000000000000000frx', '01frx'])
      expect(typed(text), text).to.deep.equal([one])
    expect(typed('1.5frx')).to.deep.equal(['1500000000000000000afrx'])
    expect(typed('0.000000000000000001frx')).to.deep.equal(['1afrx'])
    expect(typed('7uatom,5afrx')).to.deep.equal(['5afrx', '7uatom'])
    expect(typed('2frx,7uatom')).to.deep.equal(['2000000000000000000afrx', '7uatom'])
  })

  it('are refused where they have no such unit, or are nothing', () => {
    for (const text of [
      '0.0000000000000000001frx',
      '1.5afrx',
      '.5frx',
      '1.frx',
      '-1frx',
      '1,5frx',
      '0frx',
      '1frx,5afrx',
    ])
      expect(() => typed(text), text).to.throw()
    expect(() => typed('0.1234567890123456789frx')).to.throw(/finer than 1afrx/)
  })
})

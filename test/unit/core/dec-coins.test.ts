import { expect } from 'chai'
import type * as dec from '../../../core/dec.ts'
import {
  addDecCoins,
  type DecCoin,
  decCoinsOf,
  formatDecCoins,
  intersectDecCoins,
  isAnyNegative,
  mulDec,
  mulDecTruncate,
  quoDecTruncate,
  subDecCoins,
  truncateDecCoins,
  trySubDecCoins,
} from '../../../core/dec-coins.ts'
import { atomicsFromDecimal } from '../../../core/decimal-text.ts'

/** `1.5a,2b` as coins. */
const coins = (text: string): DecCoin[] =>
  text === ''
    ? []
    : text.split(',').map((c) => {
        const [, amount, denom] = /^(-?[0-9.]+)([a-z]+)$/.exec(c)!
        return { denom: denom!, amount: atomicsFromDecimal(amount!) }
      })
const decimal = (text: string): dec.Dec => BigInt(atomicsFromDecimal(text))

describe('decimal coins', () => {
  it('add up by denomination, sorted and without zeros', () => {
    expect(addDecCoins(coins('1a,1b'), coins('1a,1b'))).to.deep.equal(coins('2a,2b'))
    expect(addDecCoins(coins('0a,1b'), coins('0a,0b'))).to.deep.equal(coins('1b'))
    expect(addDecCoins(coins('2b'), coins('1a'))).to.deep.equal(coins('1a,2b'))
    expect(addDecCoins(coins('1a'), coins('-1a'))).to.deep.equal([])
    expect(addDecCoins()).to.deep.equal([])
  })

  it('are taken from each other unless an amount would be negative', () => {
    expect(subDecCoins(coins('2a,2b'), coins('1a,2b'))).to.deep.equal(coins('1a'))
    expect(trySubDecCoins(coins('1a'), coins('1.000000000000000001a'))).to.equal(undefined)
    expect(trySubDecCoins(coins('1a'), coins('1b'))).to.equal(undefined)
    expect(() => subDecCoins([], coins('1a'))).to.throw('negative coin amount')
    expect(isAnyNegative(coins('1a,-1b'))).to.equal(true)
    expect(isAnyNegative(coins('1a,0b'))).to.equal(false)
  })

  it('round products to the even neighbour, or down where truncated', () => {
    expect(mulDec(coins('0.000000000000000001a'), decimal('0.5'))).to.deep.equal([])
    expect(mulDec(coins('0.000000000000000003a'), decimal('0.5'))).to.deep.equal(
      coins('0.000000000000000002a'),
    )
    expect(mulDecTruncate(coins('0.000000000000000003a'), decimal('0.5'))).to.deep.equal(
      coins('0.000000000000000001a'),
    )
    expect(mulDecTruncate(coins('5a'), 0n)).to.deep.equal([])
    expect(quoDecTruncate(coins('2a,1b'), decimal('3'))).to.deep.equal(
      coins('0.666666666666666666a,0.333333333333333333b'),
    )
    expect(() => quoDecTruncate(coins('1a'), 0n)).to.throw('division by zero')
  })

  // Cases of the SDK's TestDecCoinsIntersect.
  for (const [a, b, both] of [
    ['', '', ''],
    ['1.0stake', '', ''],
    ['1.0stake', '1.0stake', '1stake'],
    ['', '1.0stake', ''],
    ['2.0stake,1.0trope', '1.9stake', '1.9stake'],
    ['2.0stake,1.0trope', '2.1stake,0.9trope', '2stake,0.9trope'],
    ['2.0stake,1.0trope', '3.0stake,0.9trope', '2stake,0.9trope'],
    ['2.0stake,1.0trope', '2.0stake,1.9trope', '2stake,1trope'],
  ])
    it(`${a || 'none'} and ${b || 'none'} have ${both || 'nothing'} in common`, () => {
      expect(intersectDecCoins(coins(a!), coins(b!))).to.deep.equal(coins(both!))
    })

  it('come apart into whole coins and change, without zeros', () => {
    expect(truncateDecCoins(coins('2.5a,0.5b,3c'))).to.deep.equal([
      [
        { denom: 'a', amount: '2' },
        { denom: 'c', amount: '3' },
      ],
      coins('0.5a,0.5b'),
    ])
    expect(decCoinsOf([{ denom: 'a', amount: '7' }])).to.deep.equal(coins('7a'))
    expect(formatDecCoins(coins('7a,0.5b'))).to.equal('7.000000000000000000a,0.500000000000000000b')
    expect(formatDecCoins([])).to.equal('')
  })
})

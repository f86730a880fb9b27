import { expect } from 'chai'
import fc from 'fast-check'
import { withBit } from '../../../../modules/classifier/bit-window.ts'
import { votesLeftOut, votesLost, witnessesOf } from '../../../../modules/classifier/witness.ts'
import { Roster } from '../../../../proto/gen/fornax/classifier/v1/classifier.ts'
import { addressOf } from '../../../kit/classifier/judged.ts'
import { type Random, randomness } from '../../../kit/random.ts'

const HEIGHT = 2_000n
const BLOCKS = 512

interface Played {
  readonly powers: readonly number[]
  /** Whether a validator's vote is missing from a proposer's block, so many blocks ago. */
  readonly misses: (voter: number, proposer: number, ago: number) => boolean
  /** Who proposed so many blocks ago; by default each in turn. */
  readonly proposer?: (ago: number) => number
}

function played({ powers, misses, proposer = (ago) => ago % powers.length }: Played): Roster {
  const records = powers.map((power, n) => ({
    address: addressOf(n),
    power: BigInt(power),
    missedWindow: new Uint8Array(0) as Uint8Array,
  }))
  const proposers = Array.from({ length: BLOCKS }, (_, i) => {
    const ago = BLOCKS - 1 - i
    const by = proposer(ago)
    for (const [n, record] of records.entries())
      if (misses(n, by, ago)) record.missedWindow = withBit(record.missedWindow, HEIGHT - BigInt(ago), true)
    return addressOf(by)
  })
  return Roster.fromPartial({ records, proposers })
}

const withheld = (network: Played, n = 0, last = BLOCKS): number => {
  const roster = played(network)
  return votesLost(roster.records[n]!, witnessesOf(HEIGHT, roster), last)
}
const leftOut = (network: Played, n = 0) => {
  const roster = played(network)
  return votesLeftOut(roster.records[n]!, roster, witnessesOf(HEIGHT, roster))
}
const equal = (size: number): number[] => new Array(size).fill(100)

describe('Votes missed', () => {
  for (const size of [4, 20, 100, 175])
    it(`are seen among ${size} where 15 of 64 are for ever, and not where a restart takes 18 blocks`, () => {
      const random = randomness(size)
      const misses = (rate: number) => (n: number) => n === 0 && random(64) < rate
      expect(withheld({ powers: equal(size), misses: misses(15) })).to.be.at.least(32)
      expect(withheld({ powers: equal(size), misses: misses(1) })).to.be.below(16)
      const restart = (n: number, _: number, ago: number): boolean => n === 0 && ago >= 40 && ago < 58
      for (const last of [64, 512])
        expect(withheld({ powers: equal(size), misses: restart }, 0, last)).to.be.at.most(12)
    })

  for (const size of [4, 20, 100, 240])
    it(`carry a Heavy penalty among ${size} after an hour away, and not after 10 minutes, nor twice that`, () => {
      const away = (blocks: number) => (n: number, _: number, ago: number) => n === 0 && ago < blocks
      expect(withheld({ powers: equal(size), misses: away(120) })).to.be.within(32, 125)
      expect(withheld({ powers: equal(size), misses: away(240) })).to.be.below(192)
      expect(withheld({ powers: equal(size), misses: away(720) })).to.be.at.least(192)
    })

  it('are no Heavy penalty for who is framed and restarts: what the framers could have made up is not counted', () => {
    const misses = (n: number, proposer: number, ago: number): boolean =>
      n === 0 && ((proposer >= 1 && proposer <= 6) || ago < 18)
    expect(withheld({ powers: equal(20), misses })).to.be.within(1, 31)
    expect(withheld({ powers: equal(20), misses }, 0, 64)).to.be.below(16)
  })

  /** Powers, who frames (below a third of all), and the order of proposers. */
  const framers = fc
    .record({
      powers: fc.array(fc.oneof(fc.constant(100), fc.integer({ min: 1, max: 5_000 })), {
        minLength: 4,
        maxLength: 60,
      }),
      wanted: fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
      seed: fc.nat(),
    })
    .map(({ powers, wanted, seed }) => {
      const total = powers.reduce((sum, p) => sum + p, 0)
      let power = 0
      const gang = powers.map((p, n) => {
        if (n === 0 || !wanted[n] || 3 * (power + p) >= total) return false
        power += p
        return true
      })
      return { powers, gang, random: randomness(seed) }
    })
  const anyOf = (random: Random, size: number) => {
    const order = Array.from({ length: BLOCKS }, () => random(size))
    return (ago: number): number => order[ago]!
  }

  it('are none where less than a third of the power leaves them out, whoever proposes how often', () => {
    fc.assert(
      fc.property(framers, ({ powers, gang, random }) => {
        const misses = (n: number, proposer: number): boolean => n === 0 && gang[proposer]! && random(8) > 0
        expect(withheld({ powers, misses, proposer: anyOf(random, powers.length) })).to.equal(0)
      }),
      { numRuns: 150 },
    )
  })

  it('in own blocks are no omission where less than a third of the power withholds them', () => {
    fc.assert(
      fc.property(framers, ({ powers, gang, random }) => {
        const misses = (n: number, proposer: number): boolean => gang[n]! && proposer === 0 && random(8) > 0
        expect(leftOut({ powers, misses }).permille).to.equal(0)
      }),
      { numRuns: 150 },
    )
  })
})

describe('Votes left out of own blocks', () => {
  it('are an omission where they are of any third of the power, block by block', () => {
    const random = randomness(5)
    const misses = (_: number, proposer: number): boolean => proposer === 0 && random(100) < 32
    expect(leftOut({ powers: equal(20), misses }).permille).to.be.above(100)
    expect(leftOut({ powers: equal(20), misses }, 1).permille).to.equal(0)
  })

  it('are disputed where they are always of the same voters, who are in all other blocks', () => {
    const misses = (n: number, proposer: number): boolean => (n === 7 || n === 8) && proposer === 0
    expect(leftOut({ powers: equal(31), misses })).to.deep.equal({ permille: 0, disputed: 200n })
    const flaky = (n: number, proposer: number, ago: number): boolean =>
      (n === 7 || n === 8) && (proposer === 0 || ago % 4 === 0)
    expect(leftOut({ powers: equal(31), misses: flaky }).disputed).to.equal(0n)
  })

  it('are nobody’s where voters are away for long', () => {
    const misses = (n: number, _: number, ago: number): boolean => n > 15 && ago < 300
    expect(leftOut({ powers: equal(20), misses })).to.deep.equal({ permille: 0, disputed: 0n })
  })
})

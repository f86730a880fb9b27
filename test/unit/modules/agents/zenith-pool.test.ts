import { expect } from 'chai'
import { toLatin1 } from '../../../../core/bytes.ts'
import type { Context } from '../../../../core/context.ts'
import { evaluateRound, lastRound } from '../../../../modules/agents/consensus-agent.ts'
import { demote, POOLS, poolsOf } from '../../../../modules/agents/pools.ts'
import { addressOf, type Reporter, recorded } from '../../../kit/classifier/judged.ts'

const all = (size: number, score = 0): number[] => new Array(size).fill(score)
/** A network in which everybody agrees, but for those that lie, are silent, or report nothing usable. */
const network = (
  powers: readonly number[],
  { liars = [], silent = [], unusable = [] }: Readonly<Record<string, readonly number[]>> = {},
): Context =>
  recorded(
    powers.map((power, n): Reporter => {
      if (silent.includes(n)) return { power: BigInt(power) }
      const says = unusable.includes(n) ? [] : all(powers.length, liars.includes(n) ? 9_000 : 0)
      return { power: BigInt(power), says }
    }),
  )
const round = (ctx: Context) => {
  evaluateRound(ctx)
  return lastRound(ctx)
}
const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)
const poolOf = (ctx: Context, n: number) => POOLS[poolsOf(ctx).get(toLatin1(addressOf(n)))!]

describe('The Zenith Pool', () => {
  for (const [size, members] of [
    [4, 4],
    [5, 5],
    [6, 5],
    [7, 6],
    [20, 17],
    [100, 84],
  ] as const)
    it(`has ${members} members of ${size} of equal power`, () => {
      expect(round(network(all(size, 100)))).to.include({ zenithSize: members, agreeing: members })
    })

  it('is the strongest, of equal ones those with the lower operator addresses, and Meridian the others', () => {
    const ctx = network([10, 100, 10, 100])
    expect(round(ctx).zenithSize).to.equal(2)
    expect([0, 1, 2, 3].map((n) => poolOf(ctx, n))).to.deep.equal([
      'Meridian',
      'Zenith',
      'Meridian',
      'Zenith',
    ])
  })

  it('is of those in good standing while they have two thirds of all power, and else of all', () => {
    const ctx = network(all(9, 100))
    for (const n of [0, 1, 2]) demote(ctx, addressOf(n) as never)
    expect([poolOf(ctx, 0), poolOf(ctx, 8), round(ctx).zenithSize]).to.deep.equal(['Horizon', 'Zenith', 6])
    demote(ctx, addressOf(3) as never)
    expect([poolOf(ctx, 0), round(ctx).zenithSize]).to.deep.equal(['Zenith', 8])
  })

  it('does not disagree by being away: half of the members may be, or be left out by a proposer', () => {
    expect(round(network(all(7, 100), { silent: [0, 1] }))).to.deep.include({
      degraded: false,
      disagreeing: [],
    })
    expect(round(network(all(100, 100), { silent: numbers(0, 50) })).degraded).to.equal(false)
  })

  it('is weighed by power: members without any cannot degrade a round', () => {
    const powers = [...all(10, 10_000), ...all(28, 1)]
    expect(round(network(powers, { liars: numbers(10, 38) })).degraded).to.equal(false)
  })

  it('degrades a round by signed disagreement of more than a third of all power, and of no less', () => {
    // 17 of 50 are 34 %; a third of 51 is 17.
    expect(round(network(all(50, 100), { unusable: numbers(0, 17) }))).to.deep.include({
      degraded: true,
      disagreeingPower: 1_700n,
      totalPower: 5_000n,
    })
    expect(round(network(all(51, 100), { unusable: numbers(0, 17) })).degraded).to.equal(false)
    expect(round(network(all(7, 100), { liars: [0, 1] })).degraded).to.equal(false)
    expect(round(network(all(7, 100), { liars: [0, 1, 2] })).degraded).to.equal(true)
  })

  it('counts power that is missing from it as agreeing', () => {
    const ctx = network(all(9, 100), { unusable: [3, 4, 5] })
    for (const n of [0, 1, 2]) demote(ctx, addressOf(n) as never)
    expect(round(ctx)).to.deep.include({ degraded: false, zenithPower: 600n, disagreeingPower: 300n })
  })
})

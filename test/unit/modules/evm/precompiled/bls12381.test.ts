import { expect } from 'chai'
import fc from 'fast-check'
import { concatBytes } from '../../../../../core/bytes.ts'
import {
  bls,
  blsCurvePoint,
  blsG1,
  blsG2,
  blsTwistPoint,
  cofactors,
  encoded,
  ofSmallOrder,
  times,
} from '../../../../kit/evm/points.ts'
import { compared, ourAnswer } from '../../../../kit/evm/precompiled.ts'

const G1_ADD = 0x0b
const G1_MULTIPLES = 0x0c
const G2_ADD = 0x0d
const G2_MULTIPLES = 0x0e
const PAIRING = 0x0f
const MAP_TO_G1 = 0x10
const MAP_TO_G2 = 0x11
const TRUE = '1'.padStart(64, '0')
const FALSE = '0'.repeat(64)

const last = bls.order - 1n
const g1 = (k: bigint): Uint8Array => blsG1(bls.G1.BASE.multiply(k))
const g2 = (k: bigint): Uint8Array => blsG2(bls.G2.BASE.multiply(k))
const infinite1 = new Uint8Array(128)
const infinite2 = new Uint8Array(256)

const outside1 = [
  blsCurvePoint(1n),
  times(blsCurvePoint(5n), bls.order),
  ofSmallOrder(blsCurvePoint, bls.order, cofactors.blsG1, 3n),
  ofSmallOrder(blsCurvePoint, bls.order, cofactors.blsG1, 11n),
  ofSmallOrder(blsCurvePoint, bls.order, cofactors.blsG1, 10_177n),
  bls.G1.BASE.add(ofSmallOrder(blsCurvePoint, bls.order, cofactors.blsG1, 3n)),
].map(blsG1)
const outside2 = [
  blsTwistPoint(1n),
  times(blsTwistPoint(5n), bls.order),
  ofSmallOrder(blsTwistPoint, bls.order, cofactors.blsG2, 13n),
  ofSmallOrder(blsTwistPoint, bls.order, cofactors.blsG2, 23n),
  ofSmallOrder(blsTwistPoint, bls.order, cofactors.blsG2, 2_713n),
  bls.G2.BASE.add(ofSmallOrder(blsTwistPoint, bls.order, cofactors.blsG2, 13n)),
].map(blsG2)

/** Points with one coordinate replaced. */
function withCoordinates(point: Uint8Array): Uint8Array[] {
  const values = [0n, 1n, bls.p - 1n, bls.p, bls.p + 1n, 2n ** 384n - 1n, 2n ** 384n, 2n ** 511n]
  const out: Uint8Array[] = []
  for (let at = 0; at < point.length; at += 64)
    for (const value of values) {
      const changed = point.slice()
      changed.set(encoded(value, 64), at)
      out.push(changed)
    }
  return out
}

const groups = [
  { name: 'G1', add: G1_ADD, multiples: G1_MULTIPLES, of: g1, infinite: infinite1, outside: outside1 },
  { name: 'G2', add: G2_ADD, multiples: G2_MULTIPLES, of: g2, infinite: infinite2, outside: outside2 },
]
const small = fc.oneof(fc.bigInt(1n, 40n), fc.bigInt(1n, last))
const scalar = fc.oneof(fc.bigInt(0n, last), fc.bigInt(0n, 2n ** 256n - 1n))

describe('The contracts of the curve BLS12-381 equal the library with noble', () => {
  for (const { name, add, multiples, of, infinite, outside } of groups) {
    it(`${name}: adding all pairs of points at the edges, of the subgroup or not`, async () => {
      const points = [infinite, of(1n), of(last), of(2n), of(777n), ...outside]
      for (const a of points)
        for (const b of points) expect((await compared(add, concatBytes(a, b))).error).to.equal(undefined)
    })

    it(`${name}: coordinates at the edges of the field, zeros that are none, other lengths`, async () => {
      const errors = new Set<string | undefined>()
      for (const point of withCoordinates(of(1n))) {
        errors.add((await compared(add, concatBytes(point, of(2n)))).error)
        errors.add((await compared(add, concatBytes(of(2n), point))).error)
        errors.add((await compared(multiples, concatBytes(point, encoded(2n)))).error)
      }
      expect(errors).to.include('point not on curve')
      for (let at = 0; at < infinite.length; at++) {
        const point = infinite.slice()
        point[at] = 1
        await compared(add, concatBytes(point, infinite))
      }
      for (const length of [0, 1, infinite.length, 2 * infinite.length - 1, 2 * infinite.length + 1])
        await compared(add, new Uint8Array(length))
      const pair = infinite.length + 32
      for (const length of [0, 1, 31, 32, pair - 1, pair, pair + 1, 2 * pair - 1, 2 * pair])
        await compared(multiples, new Uint8Array(length))
    })

    it(`${name}: sums of multiples, by scalars beyond the order, of points outside of the subgroup`, async () => {
      const scalars = [0n, 1n, 2n, last, bls.order, bls.order + 1n, 2n ** 255n, 2n ** 256n - 1n]
      for (const by of scalars)
        for (const point of [infinite, of(1n), of(last)]) {
          expect((await compared(multiples, concatBytes(point, encoded(by)))).error).to.equal(undefined)
          await compared(multiples, concatBytes(point, encoded(by), of(3n), encoded(last)))
        }
      for (const point of outside)
        for (const by of [0n, 1n, bls.order]) {
          const { error } = await compared(multiples, concatBytes(of(3n), encoded(1n), point, encoded(by)))
          expect(error).to.equal('point not on curve')
        }
      const cancelled = concatBytes(of(6n), encoded(5n), of(5n), encoded(bls.order - 6n))
      expect((await compared(multiples, cancelled)).bytes).to.match(/^0+$/)
    })

    it(`${name}: adding and multiplying at random, and with a byte changed`, async () => {
      await fc.assert(
        fc.asyncProperty(
          small,
          small,
          scalar,
          scalar,
          fc.nat(),
          fc.integer({ min: 1, max: 255 }),
          async (a, b, k, l, at, by) => {
            const sum = concatBytes(of(a), of(b))
            await compared(add, sum)
            const weighted = concatBytes(of(a), encoded(k), of(b), encoded(l))
            await compared(multiples, weighted)
            sum[at % sum.length]! ^= by
            await compared(add, sum)
            weighted[at % weighted.length]! ^= by
            await compared(multiples, weighted)
          },
        ),
        { numRuns: 25 },
      )
    })

    it(`${name}: sums of as many multiples as are taken at once, and around it`, async () => {
      for (const pairs of [1, 2, 3, 63, 64, 65, 128, 129, 200]) {
        const weights = Array.from(
          { length: pairs },
          (_, i) => (BigInt(i) ** 19n * 0xfedcba9876543210n) % bls.order,
        )
        const input = concatBytes(
          ...weights.map((weight, i) => concatBytes(of(BigInt(i + 1)), encoded(weight))),
        )
        const total = weights.reduce((sum, weight, i) => (sum + weight * BigInt(i + 1)) % bls.order, 0n)
        const expected = await ourAnswer(multiples, concatBytes(of(1n), encoded(total)))
        expect((await ourAnswer(multiples, input)).bytes, `${pairs}`).to.equal(expected.bytes)
      }
    })
  }

  it('gas of sums of multiples, for each number of pairs', async () => {
    for (let pairs = 1; pairs <= 140; pairs++)
      for (const [address, pairBytes] of [
        [G1_MULTIPLES, 160],
        [G2_MULTIPLES, 288],
      ] as const)
        await compared(address, new Uint8Array(pairs * pairBytes))
  })

  it('pairing: products that are one and others, with infinite points, across chunks', async () => {
    const cases: readonly (readonly [string, readonly Uint8Array[]])[] = [
      [FALSE, [g1(1n), g2(1n)]],
      [TRUE, [g1(1n), g2(1n), g1(last), g2(1n)]],
      [TRUE, [g1(6n), g2(5n), g1(last), g2(30n)]],
      [FALSE, [g1(6n), g2(5n), g1(last), g2(31n)]],
      [TRUE, [infinite1, infinite2]],
      [TRUE, [infinite1, g2(3n)]],
      [TRUE, [g1(3n), infinite2]],
      [FALSE, [g1(3n), infinite2, g1(3n), g2(3n)]],
    ]
    for (const [answer, points] of cases)
      expect((await compared(PAIRING, concatBytes(...points))).bytes).to.equal(answer)
    for (const pairs of [7, 8, 9, 17]) {
      const points = Array.from({ length: pairs }, (_, i) => concatBytes(g1(BigInt(i + 1)), g2(2n)))
      const closing = concatBytes(g1(bls.order - BigInt(pairs * (pairs + 1))), g2(1n))
      expect((await ourAnswer(PAIRING, concatBytes(...points, closing))).bytes, `${pairs}`).to.equal(TRUE)
      expect((await ourAnswer(PAIRING, concatBytes(...points))).bytes, `${pairs}`).to.equal(FALSE)
    }
  })

  it('pairing: points outside of the subgroups, bad coordinates, other lengths', async () => {
    for (const point of outside1) {
      expect((await compared(PAIRING, concatBytes(point, g2(1n)))).error).to.equal('point not on curve')
      expect((await compared(PAIRING, concatBytes(point, infinite2))).error).to.equal('point not on curve')
    }
    for (const point of outside2) {
      expect((await compared(PAIRING, concatBytes(g1(1n), point))).error).to.equal('point not on curve')
      expect((await compared(PAIRING, concatBytes(infinite1, point))).error).to.equal('point not on curve')
    }
    for (const point of withCoordinates(g1(1n))) await compared(PAIRING, concatBytes(point, infinite2))
    for (const point of withCoordinates(g2(1n))) await compared(PAIRING, concatBytes(infinite1, point))
    for (const length of [0, 1, 383, 385, 767]) await compared(PAIRING, new Uint8Array(length))
    await compared(PAIRING, concatBytes(g1(1n), g2(1n), outside1[0]!, withCoordinates(g2(1n))[3]!))
  })

  it('pairing at random', async () => {
    await fc.assert(
      fc.asyncProperty(small, small, small, async (a, b, c) => {
        await compared(PAIRING, concatBytes(g1(a), g2(b), g1(bls.order - ((a * b) % bls.order)), g2(1n)))
        await compared(PAIRING, concatBytes(g1(a), g2(b), g1(c), g2(1n)))
      }),
      { numRuns: 5 },
    )
  })

  it('mapping field elements at the edges, beyond, at random, and of other lengths', async () => {
    const errors = new Set<string | undefined>()
    const values = [0n, 1n, 2n, bls.p - 1n, bls.p, bls.p + 1n, 2n ** 384n - 1n, 2n ** 384n, 2n ** 511n]
    for (const a of values) {
      errors.add((await compared(MAP_TO_G1, encoded(a, 64))).error)
      for (const b of values)
        errors.add((await compared(MAP_TO_G2, concatBytes(encoded(a, 64), encoded(b, 64)))).error)
    }
    expect([...errors]).to.have.members([undefined, 'fp point not in field', 'point not on curve'])
    for (const length of [0, 63, 65, 127, 129]) {
      await compared(MAP_TO_G1, new Uint8Array(length))
      await compared(MAP_TO_G2, new Uint8Array(length))
    }
    const element = fc.bigInt(0n, bls.p - 1n)
    await fc.assert(
      fc.asyncProperty(element, element, async (a, b) => {
        await compared(MAP_TO_G1, encoded(a, 64))
        await compared(MAP_TO_G2, concatBytes(encoded(a, 64), encoded(b, 64)))
      }),
      { numRuns: 30 },
    )
  })
})

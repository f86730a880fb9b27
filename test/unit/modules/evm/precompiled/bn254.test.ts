import { expect } from 'chai'
import fc from 'fast-check'
import { concatBytes } from '../../../../../core/bytes.ts'
import {
  bn,
  bnG1,
  bnG2,
  bnTwistPoint,
  cofactors,
  encoded,
  ofSmallOrder,
  times,
} from '../../../../kit/evm/points.ts'
import { compared, libraryAnswer, ourAnswer } from '../../../../kit/evm/precompiled.ts'

const ADD = 6
const MUL = 7
const PAIRING = 8
const TRUE = '1'.padStart(64, '0')
const FALSE = '0'.repeat(64)

const g1 = (k: bigint): Uint8Array => bnG1(bn.G1.BASE.multiply(k))
const g2 = (k: bigint): Uint8Array => bnG2(bn.G2.BASE.multiply(k))
const infinite1 = new Uint8Array(64)
const infinite2 = new Uint8Array(128)
const last = bn.order - 1n

const good = [infinite1, g1(1n), g1(last), g1(2n), g1(12_345n)]
const bad = [
  concatBytes(encoded(1n), encoded(3n)),
  concatBytes(encoded(0n), encoded(1n)),
  concatBytes(encoded(1n), encoded(0n)),
  concatBytes(encoded(bn.p), encoded(0n)),
  concatBytes(encoded(0n), encoded(bn.p)),
  concatBytes(encoded(bn.p), encoded(bn.p)),
  concatBytes(encoded(1n + bn.p), encoded(2n)),
  concatBytes(encoded(1n), encoded(2n + bn.p)),
  new Uint8Array(64).fill(0xff),
]

const scalar = fc.bigInt(0n, 2n ** 256n - 1n)
const small = fc.oneof(fc.bigInt(1n, 40n), fc.bigInt(1n, last))

describe('The contracts of the curve bn254 equal the library with noble', () => {
  it('adding all pairs of points at the edges, good and bad', async () => {
    const errors = new Set<string | undefined>()
    for (const a of [...good, ...bad])
      for (const b of [...good, ...bad]) errors.add((await compared(ADD, concatBytes(a, b))).error)
    expect([...errors]).to.have.members([undefined, 'revert'])
  })

  it('multiplying by scalars at the edges and beyond the order', async () => {
    const scalars = [
      0n,
      1n,
      2n,
      last,
      bn.order,
      bn.order + 1n,
      2n * bn.order,
      bn.p,
      2n ** 255n,
      2n ** 256n - 1n,
    ]
    for (const point of [...good, ...bad])
      for (const by of scalars) await compared(MUL, concatBytes(point, encoded(by)))
  })

  it('adding and multiplying at random', async () => {
    await fc.assert(
      fc.asyncProperty(small, small, scalar, async (a, b, by) => {
        await compared(ADD, concatBytes(g1(a), g1(b)))
        await compared(MUL, concatBytes(g1(a), encoded(by)))
      }),
      { numRuns: 60 },
    )
  })

  it('of inputs cut short at each length, and of inputs too long', async () => {
    const sum = concatBytes(g1(7n), g1(8n), new Uint8Array(9).fill(1))
    const product = concatBytes(g1(7n), encoded(2n ** 255n + 99n), new Uint8Array(9).fill(1))
    for (let length = 0; length <= sum.length; length++) await compared(ADD, sum.subarray(0, length))
    for (let length = 0; length <= product.length; length++) await compared(MUL, product.subarray(0, length))
  })

  it('of inputs with a byte changed', async () => {
    const pair = concatBytes(g1(7n), g2(8n))
    await fc.assert(
      fc.asyncProperty(fc.nat(191), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const changed = pair.slice()
        changed[at]! ^= by
        await compared(PAIRING, changed)
        const sum = concatBytes(g1(7n), g1(8n))
        sum[at % 128]! ^= by
        await compared(ADD, sum)
      }),
      { numRuns: 100 },
    )
  })

  it('pairing: products that are one and others, with infinite points, across chunks', async () => {
    const cases: readonly (readonly [string, readonly Uint8Array[]])[] = [
      [TRUE, []],
      [FALSE, [g1(1n), g2(1n)]],
      [TRUE, [g1(1n), g2(1n), g1(last), g2(1n)]],
      [TRUE, [g1(6n), g2(5n), g1(last), g2(30n)]],
      [FALSE, [g1(6n), g2(5n), g1(last), g2(31n)]],
      [TRUE, [infinite1, infinite2]],
      [TRUE, [infinite1, g2(3n)]],
      [TRUE, [g1(3n), infinite2]],
      [FALSE, [g1(3n), infinite2, g1(3n), g2(3n)]],
      [TRUE, [g1(3n), g2(3n), infinite1, g2(2n), g1(9n), g2(last)]],
    ]
    for (const [answer, points] of cases)
      expect((await compared(PAIRING, concatBytes(...points))).bytes).to.equal(answer)
    for (const pairs of [7, 8, 9, 16, 17]) {
      const points = Array.from({ length: pairs }, (_, i) => concatBytes(g1(BigInt(i + 1)), g2(2n)))
      const sum = BigInt((pairs * (pairs + 1)) / 2)
      const closing = concatBytes(g1(bn.order - 2n * sum), g2(1n))
      expect((await ourAnswer(PAIRING, concatBytes(...points, closing))).bytes, `${pairs}`).to.equal(TRUE)
      expect((await ourAnswer(PAIRING, concatBytes(...points))).bytes, `${pairs}`).to.equal(FALSE)
      expect((await ourAnswer(PAIRING, concatBytes(closing, infinite1, g2(1n), ...points))).bytes).to.equal(
        TRUE,
      )
    }
  })

  it('pairing: points of the twist that are not of the group, coordinates beyond the field, other lengths', async () => {
    const outside = [
      bnTwistPoint(1n),
      bnTwistPoint(1_000n),
      times(bnTwistPoint(1n), bn.order),
      times(bnTwistPoint(5n), cofactors.bnG2 / 10_069n),
      ofSmallOrder(bnTwistPoint, bn.order, cofactors.bnG2, 10_069n),
      ofSmallOrder(bnTwistPoint, bn.order, cofactors.bnG2, 5_864_401n),
      bn.G2.BASE.add(ofSmallOrder(bnTwistPoint, bn.order, cofactors.bnG2, 10_069n)),
    ].map(bnG2)
    const errors = new Set<string | undefined>()
    for (const point of outside) {
      errors.add((await compared(PAIRING, concatBytes(g1(1n), point))).error)
      errors.add((await compared(PAIRING, concatBytes(infinite1, point))).error)
    }
    expect([...errors]).to.deep.equal(['revert'])
    const clean = bnG2(times(bnTwistPoint(5n), cofactors.bnG2))
    expect((await compared(PAIRING, concatBytes(g1(1n), clean))).error).to.equal(undefined)

    for (let i = 0; i < 4; i++)
      for (const value of [bn.p, bn.p + 1n, 2n ** 256n - 1n]) {
        const point = g2(1n)
        point.set(encoded(value), 32 * i)
        expect((await compared(PAIRING, concatBytes(g1(1n), point))).error).to.equal('fp point not in field')
        await compared(PAIRING, concatBytes(bad[0]!, point))
      }
    for (const point of bad) await compared(PAIRING, concatBytes(g1(1n), g2(1n), point, g2(1n)))
    for (const length of [1, 63, 64, 191, 193, 383]) await compared(PAIRING, new Uint8Array(length))
    const [x1, x0, y1, y0] = [0, 32, 64, 96].map((at) => g2(1n).subarray(at, at + 32))
    await compared(PAIRING, concatBytes(g1(1n), x0!, x1!, y0!, y1!))
  })

  it('pairing at random', async () => {
    await fc.assert(
      fc.asyncProperty(small, small, small, async (a, b, c) => {
        await compared(PAIRING, concatBytes(g1(a), g2(b), g1(bn.order - ((a * b) % bn.order)), g2(1n)))
        await compared(PAIRING, concatBytes(g1(a), g2(b), g1(c), g2(1n)))
      }),
      { numRuns: 6 },
    )
  })

  it('and give bytes of their own', async () => {
    const before = await libraryAnswer(ADD, concatBytes(g1(1n), g1(2n)))
    const first = await ourAnswer(ADD, concatBytes(g1(1n), g1(2n)))
    await ourAnswer(ADD, concatBytes(g1(5n), g1(6n)))
    expect(first).to.deep.equal(before)
  })
})

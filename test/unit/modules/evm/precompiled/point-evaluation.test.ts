import { expect } from 'chai'
import fc from 'fast-check'
import { concatBytes, fromHex, sha256 } from '../../../../../core/bytes.ts'
import { linear } from '../../../../kit/evm/kzg.ts'
import { bls, blsCurvePoint, cofactors, encoded, ofSmallOrder } from '../../../../kit/evm/points.ts'
import { compared } from '../../../../kit/evm/precompiled.ts'

const POINT_EVALUATION = 0x0a
const FLAGS = { infinite: 0xc0, compressed: 0x80 }

const infinite = Uint8Array.from({ length: 48 }, (_, i) => (i === 0 ? FLAGS.infinite : 0))
const G1 = bls.G1.BASE.toBytes(true)

function input(z: Uint8Array, y: Uint8Array, commitment: Uint8Array, proof: Uint8Array): Uint8Array {
  const hash = sha256(commitment)
  hash[0] = 1
  return concatBytes(hash, z, y, commitment, proof)
}

/** A proof for a linear polynomial. */
function proven(a: bigint, b: bigint, z: bigint): Uint8Array {
  const { commitment, y, proof } = linear(a, b, z)
  return input(encoded(z), y, commitment, proof)
}

/** A compressed point, of the subgroup or not. */
const compressed = (point: typeof bls.G1.BASE): Uint8Array => {
  const { x, y } = point.toAffine()
  const out = encoded(x, 48)
  out[0]! |= FLAGS.compressed | (2n * y > bls.p ? 0x20 : 0)
  return out
}

describe('The contract of point evaluation equals the library with noble', () => {
  it('for polynomials that are committed to, evaluated at the edges, and changed', async () => {
    const modulus = bls.order
    for (const [i, z] of [0n, 1n, 2n, modulus - 1n, 123_456_789n].entries()) {
      const data = proven(17n * BigInt(i), BigInt(i) ** 40n % modulus, z)
      const { error, bytes } = await compared(POINT_EVALUATION, data)
      expect(error).to.equal(undefined)
      expect(bytes).to.equal(`${'1000'.padStart(64, '0')}${modulus.toString(16)}`)
      for (const at of [63, 95]) {
        const changed = data.slice()
        changed[at]! ^= 1
        const known = i === 0 && at === 63 ? undefined : 'kzg proof invalid'
        // The modulus itself, where z was one less.
        const expected = z === modulus - 1n && at === 63 ? 'kzg inputs invalid' : known
        expect((await compared(POINT_EVALUATION, changed)).error).to.equal(expected)
      }
    }
  })

  it('for constant polynomials, whose proof is the infinite point', async () => {
    for (const z of [0n, 5n, bls.order - 1n]) {
      const cases: readonly (readonly [bigint, Uint8Array, Uint8Array, string | undefined])[] = [
        [0n, infinite, infinite, undefined],
        [1n, G1, infinite, undefined],
        [1n, infinite, infinite, 'kzg proof invalid'],
        [0n, G1, infinite, 'kzg proof invalid'],
        [0n, infinite, G1, 'kzg proof invalid'],
        [1n, G1, G1, 'kzg proof invalid'],
        [bls.order - 1n, compressed(bls.G1.BASE.negate()), infinite, undefined],
      ]
      for (const [y, commitment, proof, error] of cases)
        expect(
          (await compared(POINT_EVALUATION, input(encoded(z), encoded(y), commitment, proof))).error,
        ).to.equal(error)
    }
  })

  it('for sums that cancel to the infinite point', async () => {
    // C = y·G1 - z·π, with π = G1.
    for (const [z, y] of [
      [3n, 10n],
      [10n, 10n],
      [0n, 4n],
    ] as const) {
      const k = y - z
      const commitment =
        k === 0n ? infinite : compressed(bls.G1.BASE.multiply(((k % bls.order) + bls.order) % bls.order))
      const { error } = await compared(POINT_EVALUATION, input(encoded(z), encoded(y), commitment, G1))
      expect(error).to.equal('kzg proof invalid')
    }
  })

  it('for scalars beyond the order', async () => {
    for (const value of [bls.order - 1n, bls.order, bls.order + 1n, 2n ** 255n, 2n ** 256n - 1n]) {
      await compared(POINT_EVALUATION, input(encoded(value), encoded(1n), G1, infinite))
      await compared(POINT_EVALUATION, input(encoded(1n), encoded(value), G1, infinite))
    }
  })

  it('for encodings of points that are none, or not the one, and points outside of the subgroup', async () => {
    const flagged = (point: Uint8Array, flags: number): Uint8Array => {
      const out = point.slice()
      out[0] = (out[0]! & 0x1f) | flags
      return out
    }
    const encodings = [
      new Uint8Array(48),
      new Uint8Array(48).fill(0xff),
      ...[0x00, 0x20, 0x40, 0x60, 0x80, 0xa0, 0xc0, 0xe0].map((flags) => flagged(G1, flags)),
      ...[0x00, 0x20, 0x40, 0x60, 0x80, 0xa0, 0xc0, 0xe0].map((flags) => flagged(infinite, flags)),
      flagged(encoded(bls.p, 48), 0x80 | (encoded(bls.p, 48)[0]! & 0x1f)),
      ...[0n, 1n, 2n, 3n, 4n].map((x) => flagged(encoded(x, 48), 0x80)),
      ...[bls.p - 1n, bls.p, bls.p + 1n, bls.p + 2n, bls.p + 4n].map((x) => {
        const out = encoded(x, 48)
        out[0]! |= 0x80
        return out
      }),
      Uint8Array.from(infinite, (byte, i) => (i === 47 ? 1 : byte)),
      compressed(blsCurvePoint(1n)),
      compressed(ofSmallOrder(blsCurvePoint, bls.order, cofactors.blsG1, 3n)),
      compressed(ofSmallOrder(blsCurvePoint, bls.order, cofactors.blsG1, 11n)),
    ]
    const errors = new Set<string | undefined>()
    for (const encoding of encodings) {
      errors.add(
        (await compared(POINT_EVALUATION, input(encoded(5n), encoded(1n), encoding, infinite))).error,
      )
      errors.add((await compared(POINT_EVALUATION, input(encoded(5n), encoded(1n), G1, encoding))).error)
    }
    expect([...errors]).to.have.members([undefined, 'kzg inputs invalid', 'kzg proof invalid'])
  })

  it('for other lengths, other versions of the hash, and with a byte changed', async () => {
    const good = input(encoded(5n), encoded(1n), G1, infinite)
    for (const length of [0, 1, 191]) await compared(POINT_EVALUATION, good.subarray(0, length))
    await compared(POINT_EVALUATION, concatBytes(good, fromHex('00')))
    await fc.assert(
      fc.asyncProperty(fc.nat(191), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const changed = good.slice()
        changed[at]! ^= by
        await compared(POINT_EVALUATION, changed)
        // The same with a hash that fits.
        await compared(
          POINT_EVALUATION,
          input(
            changed.subarray(32, 64),
            changed.subarray(64, 96),
            changed.subarray(96, 144),
            changed.subarray(144),
          ),
        )
      }),
      { numRuns: 60 },
    )
  })
})

import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { expect } from 'chai'
import fc from 'fast-check'
import { concatBytes, sha256, toHex, utf8 } from '../../../../../core/bytes.ts'
import { keccak256 } from '../../../../../core/crypto/keccak.ts'
import { encoded, times } from '../../../../kit/evm/points.ts'
import { compared } from '../../../../kit/evm/precompiled.ts'

const ECRECOVER = 1
const P256VERIFY = 0x100
const TRUE = '1'.padStart(64, '0')

const toBigInt = (bytes: Uint8Array): bigint => BigInt(`0x${toHex(bytes)}`)
const edges = (order: bigint, field: bigint): readonly bigint[] => [
  0n,
  1n,
  2n,
  order >> 1n,
  order - 1n,
  order,
  order + 1n,
  field - 1n,
  field,
  field + 1n,
  2n ** 256n - 1n,
]

describe('The contract that recovers secp256k1 signers equals the library', () => {
  const key = new Uint8Array(32).fill(5)
  const digest = sha256(utf8('text'))
  const signature = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' })
  const v = encoded(27n + BigInt(signature[0]!))
  const good = concatBytes(digest, v, signature.subarray(1))
  const address = toHex(keccak256(secp256k1.getPublicKey(key, false).subarray(1)).subarray(12)).padStart(
    64,
    '0',
  )

  it('for good signatures, with a high S too, and for longer and shorter inputs', async () => {
    expect((await compared(ECRECOVER, good)).bytes).to.equal(address)
    expect((await compared(ECRECOVER, concatBytes(good, Uint8Array.of(1)))).bytes).to.equal(address)
    const high = good.slice()
    high.set(encoded(secp256k1.Point.Fn.ORDER - toBigInt(good.subarray(96))), 96)
    high[63]! ^= 27 ^ 28
    expect((await compared(ECRECOVER, high)).bytes).to.equal(address)
    for (let length = 0; length < 128; length++) await compared(ECRECOVER, good.subarray(0, length))
  })

  it('for each v, and for digests, R and S at the edges', async () => {
    for (let value = 0n; value < 40n; value++)
      await compared(ECRECOVER, concatBytes(digest, encoded(value), good.subarray(64)))
    for (let at = 32; at < 63; at++) {
      const changed = good.slice()
      changed[at] = 1
      expect((await compared(ECRECOVER, changed)).bytes).to.equal('')
    }
    for (const value of edges(secp256k1.Point.Fn.ORDER, secp256k1.Point.Fp.ORDER))
      for (const at of [0, 64, 96])
        for (const id of [27n, 28n]) {
          const changed = good.slice()
          changed.set(encoded(id), 32)
          changed.set(encoded(value), at)
          await compared(ECRECOVER, changed)
        }
  })

  it('at random, and with a byte changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 128, maxLength: 128 }),
        fc.boolean(),
        fc.nat(127),
        fc.nat(255),
        async (bytes, isOdd, at, byte) => {
          bytes.set(encoded(isOdd ? 28n : 27n), 32)
          await compared(ECRECOVER, bytes)
          const changed = good.slice()
          changed[at] = byte
          await compared(ECRECOVER, changed)
        },
      ),
    )
  })
})

describe('The contract that verifies secp256r1 signatures equals the library', () => {
  const order = p256.Point.Fn.ORDER
  const field = p256.Point.Fp.ORDER
  const key = new Uint8Array(32).fill(5)

  function signed(digest: Uint8Array, secret: Uint8Array): Uint8Array {
    const signature = p256.sign(digest, secret, { prehash: false })
    return concatBytes(digest, signature, p256.getPublicKey(secret, false).subarray(1))
  }
  const digest = sha256(utf8('text'))
  const good = signed(digest, key)

  it('for good signatures, with a low and a high S, and for other lengths', async () => {
    expect((await compared(P256VERIFY, good)).bytes).to.equal(TRUE)
    const twin = good.slice()
    twin.set(encoded(order - toBigInt(good.subarray(64, 96))), 64)
    expect((await compared(P256VERIFY, twin)).bytes).to.equal(TRUE)
    for (const length of [0, 1, 128, 159]) await compared(P256VERIFY, good.subarray(0, length))
    await compared(P256VERIFY, concatBytes(good, Uint8Array.of(0)))
  })

  it('for digests, R, S and coordinates at the edges', async () => {
    for (const value of edges(order, field))
      for (const at of [0, 32, 64, 96, 128]) {
        const changed = good.slice()
        changed.set(encoded(value), at)
        await compared(P256VERIFY, changed)
      }
    const infinite = concatBytes(good.subarray(0, 96), new Uint8Array(64))
    expect((await compared(P256VERIFY, infinite)).bytes).to.equal('')
    // The point whose x is 0, and the twin of each key.
    const y = p256.Point.Fp.sqrt(p256.Point.CURVE().b)
    for (const [x, ordinate] of [
      [0n, y],
      [0n, field - y],
      [p256.Point.BASE.x, p256.Point.BASE.y],
      [p256.Point.BASE.x, field - p256.Point.BASE.y],
    ] as const)
      await compared(P256VERIFY, concatBytes(good.subarray(0, 96), encoded(x), encoded(ordinate)))
  })

  it('for digests of zero, of the order and beyond, and small keys, whose sums meet equal and opposite points', async () => {
    for (const value of [0n, 1n, order - 1n, order, order + 1n, 2n ** 256n - 1n])
      for (const secret of [1n, 2n, 3n, order - 1n, order - 2n])
        expect((await compared(P256VERIFY, signed(encoded(value), encoded(secret)))).bytes).to.equal(TRUE)
    // u1·G + u2·Q with Q = k·G, so that the sum is infinite (digest = -k·r), or a doubling (digest = k·r).
    for (const k of [1n, 2n, 77n])
      for (const r of [1n, 5n, p256.Point.BASE.x % order])
        for (const sign of [1n, -1n]) {
          const { x, y } = times(p256.Point.BASE, k).toAffine()
          const hash = (((sign * k * r) % order) + order) % order
          for (const s of [1n, 2n, order - 1n])
            await compared(
              P256VERIFY,
              concatBytes(encoded(hash), encoded(r), encoded(s), encoded(x), encoded(y)),
            )
        }
  })

  it('where the x of the sum is beyond the order', async () => {
    // A point of such an x, R: with s = u, digest = 0 and Q = R·s/r the sum is R.
    const { Fp, Fn } = p256.Point
    let x = order + 1n
    for (; ; x++)
      try {
        Fp.sqrt(Fp.create(x ** 3n - 3n * x + p256.Point.CURVE().b))
        break
      } catch {
        // No square: the next.
      }
    const R = p256.Point.fromAffine({ x, y: Fp.sqrt(Fp.create(x ** 3n - 3n * x + p256.Point.CURVE().b)) })
    const r = x - order
    const s = 99n
    const Q = times(R, Fn.mul(s, Fn.inv(r))).toAffine()
    const rest = [encoded(s), encoded(Q.x), encoded(Q.y)]
    const answer = await compared(P256VERIFY, concatBytes(encoded(0n), encoded(r), ...rest))
    expect(answer.bytes).to.equal(TRUE)
    expect((await compared(P256VERIFY, concatBytes(encoded(0n), encoded(x), ...rest))).bytes).to.equal('')
  })

  it('at random, and with a byte changed', async () => {
    let verified = 0
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.bigInt(1n, order - 1n),
        fc.nat(159),
        fc.nat(255),
        async (hash, secret, at, byte) => {
          const data = signed(hash, encoded(secret))
          if ((await compared(P256VERIFY, data)).bytes === TRUE) verified++
          data[at] = byte
          await compared(P256VERIFY, data)
        },
      ),
      { numRuns: 60 },
    )
    expect(verified).to.be.at.least(60)
  })
})

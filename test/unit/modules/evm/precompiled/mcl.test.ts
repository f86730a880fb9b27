import { expect } from 'chai'
import { concatBytes } from '../../../../../core/bytes.ts'
import { makeBls12381 } from '../../../../../modules/evm/precompiled/bls12381.ts'
import { makePointEvaluation } from '../../../../../modules/evm/precompiled/kzg.ts'
import { Curve } from '../../../../../modules/evm/precompiled/mcl.ts'
import { bls, blsG1, blsG2, encoded } from '../../../../kit/evm/points.ts'

const g1 = blsG1(bls.G1.BASE.multiply(3n))
const g2 = blsG2(bls.G2.BASE.multiply(3n))

describe('A curve of mcl', () => {
  it('has memory that no call makes grow, good or bad, small or large', async () => {
    const curve = await Curve.load('bls12381')
    makePointEvaluation(curve)
    const contracts = makeBls12381(curve)
    const before = curve.memoryBytes
    const scalar = encoded(2n ** 256n - 1n)
    const many = concatBytes(...Array.from({ length: 600 }, () => concatBytes(g1, scalar)))
    for (let i = 0; i < 20_000; i++) {
      contracts.g1Add.run(concatBytes(g1, g1))
      contracts.g1Add.run(new Uint8Array(256).fill(i & 1))
      contracts.g2Add.run(new Uint8Array(512))
    }
    for (let i = 0; i < 100; i++) {
      contracts.g1Multiples.run(concatBytes(g1, scalar))
      contracts.g2Multiples.run(concatBytes(g2, scalar))
      contracts.pairing.run(concatBytes(g1, g2))
      contracts.mapToG2.run(new Uint8Array(128))
    }
    contracts.g1Multiples.run(many)
    expect(curve.memoryBytes).to.equal(before)
  })

  it('reads field elements below the modulus, and writes them again', async () => {
    for (const name of ['bn254', 'bls12381', 'p256'] as const) {
      const curve = await Curve.load(name)
      const place = curve.reserve(48)
      const modulus = {
        bn254: 21888242871839275222246405745257275088696311157297823662689037894645226208583n,
        bls12381: bls.p,
        p256: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
      }[name]
      const length = curve.fieldBytes
      for (const value of [0n, 1n, 255n, 2n ** 64n, modulus - 1n]) {
        const out = new Uint8Array(length + 2)
        expect(curve.readField(place, concatBytes(Uint8Array.of(7), encoded(value, length)), 1)).to.equal(
          true,
        )
        curve.writeField(out, 1, place)
        expect(out).to.deep.equal(concatBytes(Uint8Array.of(0), encoded(value, length), Uint8Array.of(0)))
      }
      for (const value of [modulus, modulus + 1n, 2n ** BigInt(8 * length) - 1n])
        expect(curve.readField(place, encoded(value, length), 0)).to.equal(false)
    }
  })

  it('sees its memory after that has grown', async () => {
    const curve = await Curve.load('p256')
    const before = curve.memoryBytes
    const place = curve.reserve(4 * 1_024 * 1_024)
    expect(curve.memoryBytes).to.be.above(before)
    expect(curve.readField(place, encoded(258n), 0)).to.equal(true)
    const out = new Uint8Array(32)
    curve.writeField(out, 0, place)
    expect(out).to.deep.equal(encoded(258n))
  })
})

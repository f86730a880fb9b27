import { bls12_381 } from '@noble/curves/bls12-381.js'
import { fromHex } from '../../../core/bytes.ts'
import { bls, encoded } from './points.ts'

/** KZG proofs by noble, as EIP-4844 writes them down, with the ceremony's secret s in both groups. */

const SECRET_G1 = bls.G1.fromHex(
  'ad3eb50121139aa34db1d545093ac9374ab7bca2c0f3bf28e27c8dcd8fc7cb42d25926fc0c97b336e9f0fb35e5a04c81',
)
const SECRET_G2 = bls.G2.fromHex(
  'b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72' +
    '185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2',
)
const { Fr, Fp12 } = bls12_381.fields

const bytes = (hex: string): Uint8Array => fromHex(hex.slice(2))
const times = <P extends { multiplyUnsafe(by: bigint): P }>(point: P, by: bigint): P =>
  point.multiplyUnsafe(by)

function readPoint(hex: string): typeof bls.G1.BASE {
  const point = bls.G1.fromBytes(bytes(hex))
  point.assertValidity()
  return point
}

function readScalar(hex: string): bigint {
  const value = BigInt(hex)
  if (value >= bls.order) throw new Error('beyond the order')
  return value
}

/** As c-kzg does, with its word where the input is no points of the subgroup or no scalars. */
export function verifyProof(commitment: string, z: string, y: string, proof: string): boolean {
  try {
    const [C, pi] = [readPoint(commitment), readPoint(proof)]
    // e(C - y·G1, G2) = e(π, s·G2 - z·G2)
    const left = C.subtract(times(bls.G1.BASE, readScalar(y)))
    const right = SECRET_G2.subtract(times(bls.G2.BASE, readScalar(z)))
    const pairs = [
      { g1: left, g2: bls.G2.BASE.negate() },
      { g1: pi, g2: right },
    ].filter(({ g1 }) => !g1.is0())
    return Fp12.eql(bls12_381.pairingBatch(pairs, true), Fp12.ONE)
  } catch {
    throw new Error('C_KZG_BADARGS')
  }
}

/** A commitment to a + b·x, its value at z, and the proof of it. */
export function linear(a: bigint, b: bigint, z: bigint) {
  const commitment = times(bls.G1.BASE, a).add(times(SECRET_G1, b))
  const proof = times(bls.G1.BASE, b)
  const y = encoded(Fr.add(a, Fr.mul(b, z)))
  return { commitment: commitment.toBytes(true), y, proof: proof.toBytes(true) }
}

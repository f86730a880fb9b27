import { compareBytes, concatBytes, equalBytes, fromHex, sha256 } from '../../../core/bytes.ts'
import { type Contract, type Failure, isZero } from './contract.ts'
import { type Curve, G1_SIZE, G2_SIZE, GT_SIZE, SCALAR_SIZE } from './mcl.ts'

/** EIP-4844's point evaluation: that a committed polynomial has the value y at z. */

const INPUT_BYTES = 192
const HASH_VERSION = 1
/** The group's order: what z and y are below. */
const ORDER = fromHex('73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001')
const FIELD_ELEMENTS_PER_BLOB = fromHex('1000'.padStart(64, '0'))
/** The generators of both groups, and the second's multiple by the secret of Ethereum's KZG ceremony. */
const G1 = fromHex(
  '97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb',
)
const G2 = fromHex(
  '93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e' +
    '024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8',
)
const SECRET_G2 = fromHex(
  'b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72' +
    '185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2',
)

const COMPRESSED = 0x80
const INFINITE = 0x40

export function makePointEvaluation(curve: Curve): Contract {
  const { mcl } = curve
  mcl._mclBn_setETHserialization(1)
  const points = curve.reserve(2 * G1_SIZE)
  const scalars = curve.reserve(2 * SCALAR_SIZE)
  const generator = points
  const proof = points + G1_SIZE
  const minusY = scalars
  const z = scalars + SCALAR_SIZE
  const commitment = curve.reserve(G1_SIZE)
  const product = curve.reserve(GT_SIZE)
  const base = curve.reserve(G1_SIZE)
  if (!readG1(base, G1, 0)) throw new Error('mcl reads no constant point')
  const linesOfMinusG2 = lines(G2, true)
  const linesOfSecret = lines(SECRET_G2, false)

  /** The lines of a point's Miller loop. */
  function lines(compressed: Uint8Array, isNegated: boolean): number {
    const point = curve.reserve(G2_SIZE)
    if (mcl._mclBnG2_deserialize(point, curve.lend(compressed, 0, 96), 96) !== 96)
      throw new Error('mcl reads no constant point')
    if (isNegated) mcl._mclBnG2_neg(point, point)
    const place = curve.reserve(8 * mcl._mclBn_getUint64NumToPrecompute())
    mcl._mclBn_precomputeG2(place, point)
    return place
  }

  /** A compressed point of the subgroup, in its one encoding. */
  function readG1(to: number, data: Uint8Array, start: number): boolean {
    const flags = data[start]!
    if ((flags & COMPRESSED) === 0) return false
    if ((flags & INFINITE) !== 0) {
      mcl._mclBnG1_clear(to)
      return flags === (COMPRESSED | INFINITE) && isZero(data, start + 1, start + 48)
    }
    if (mcl._mclBnG1_deserialize(to, curve.lend(data, start, 48), 48) !== 48) return false
    return mcl._mclBnG1_isValid(to) === 1 && mcl._mclBnG1_isValidOrder(to) === 1
  }

  /** e(C − y·G1 + z·π, −G2) · e(π, s·G2) = 1, so that all points of G2 are constant. */
  function isProven(): boolean {
    const isProofInfinite = mcl._mclBnG1_isZero(proof) === 1
    mcl._mclBnFr_neg(minusY, minusY)
    curve.bytes.copyWithin(generator, base, base + G1_SIZE)
    const sum = generator
    if (isProofInfinite) mcl._mclBnG1_mul(sum, generator, minusY)
    else mcl._mclBnG1_mulVec(sum, points, scalars, 2)
    mcl._mclBnG1_add(sum, sum, commitment)
    if (isProofInfinite || mcl._mclBnG1_isZero(sum) === 1)
      return isProofInfinite && mcl._mclBnG1_isZero(sum) === 1
    mcl._mclBnG1_normalize(sum, sum)
    mcl._mclBn_precomputedMillerLoop2(product, sum, linesOfMinusG2, proof, linesOfSecret)
    mcl._mclBn_finalExp(product, product)
    return mcl._mclBnGT_isOne(product) === 1
  }

  function run(data: Uint8Array): Uint8Array | Failure {
    if (data.length !== INPUT_BYTES) return 'INVALID_INPUT_LENGTH'
    const hash = sha256(data.subarray(96, 144))
    hash[0] = HASH_VERSION
    if (!equalBytes(hash, data.subarray(0, 32))) return 'INVALID_COMMITMENT'
    for (const start of [32, 64])
      if (compareBytes(data.subarray(start, start + 32), ORDER) >= 0) return 'INVALID_INPUTS'
    if (!readG1(commitment, data, 96) || !readG1(proof, data, 144)) return 'INVALID_INPUTS'
    curve.readScalar(z, data, 32)
    curve.readScalar(minusY, data, 64)
    if (!isProven()) return 'INVALID_PROOF'
    return concatBytes(FIELD_ELEMENTS_PER_BLOB, ORDER)
  }

  return { gas: () => 50_000n, run }
}

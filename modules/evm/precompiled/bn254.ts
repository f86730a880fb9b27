import { type Contract, type Failure, isZero, padded, truth } from './contract.ts'
import { Curve, FIELD_SIZE, G1_SIZE, G2_SIZE, GT_SIZE, SCALAR_SIZE } from './mcl.ts'

/** EIP-196 and EIP-197 with the prices of EIP-1108: the curve alt_bn128, whose points are of 32-byte coordinates. */
export interface Bn254Contracts {
  readonly add: Contract
  readonly mul: Contract
  readonly pairing: Contract
}

const POINT_BYTES = 64
const PAIR_BYTES = 192
/** Pairs of a Miller loop at once: more are hardly faster. */
const PAIRS_AT_ONCE = 8

export async function loadBn254(): Promise<Bn254Contracts> {
  const curve = await Curve.load('bn254')
  const { mcl } = curve
  const g1s = curve.reserve(PAIRS_AT_ONCE * G1_SIZE)
  const g2s = curve.reserve(PAIRS_AT_ONCE * G2_SIZE)
  const p = curve.reserve(G1_SIZE)
  const q = curve.reserve(G1_SIZE)
  const scalar = curve.reserve(SCALAR_SIZE)
  const product = curve.reserve(GT_SIZE)
  const factor = curve.reserve(GT_SIZE)

  /** Every point of the curve is of the group. */
  function readG1(to: number, data: Uint8Array, start: number): Failure | undefined {
    mcl._mclBnG1_clear(to)
    if (isZero(data, start, start + POINT_BYTES)) return undefined
    if (!curve.readField(to, data, start) || !curve.readField(to + FIELD_SIZE, data, start + 32))
      return 'REVERT'
    mcl._mclBnFp_setInt32(to + 2 * FIELD_SIZE, 1)
    return mcl._mclBnG1_isValid(to) === 1 ? undefined : 'REVERT'
  }

  /** Coordinates have their imaginary part first. */
  function readG2(to: number, data: Uint8Array, start: number): Failure | undefined {
    mcl._mclBnG2_clear(to)
    if (isZero(data, start, start + 2 * POINT_BYTES)) return undefined
    const places = [to + FIELD_SIZE, to, to + 3 * FIELD_SIZE, to + 2 * FIELD_SIZE]
    for (const [i, place] of places.entries())
      if (!curve.readField(place, data, start + 32 * i)) return 'BN254_FP_NOT_IN_FIELD'
    mcl._mclBnFp_setInt32(to + 4 * FIELD_SIZE, 1)
    return mcl._mclBnG2_isValid(to) === 1 && mcl._mclBnG2_isValidOrder(to) === 1 ? undefined : 'REVERT'
  }

  function writeG1(point: number): Uint8Array {
    const out = new Uint8Array(POINT_BYTES)
    if (mcl._mclBnG1_isZero(point) === 1) return out
    mcl._mclBnG1_normalize(point, point)
    curve.writeField(out, 0, point)
    curve.writeField(out, 32, point + FIELD_SIZE)
    return out
  }

  function add(data: Uint8Array): Uint8Array | Failure {
    const input = padded(data, 0, 128)
    const failure = readG1(p, input, 0) ?? readG1(q, input, 64)
    if (failure !== undefined) return failure
    mcl._mclBnG1_add(p, p, q)
    return writeG1(p)
  }

  function mul(data: Uint8Array): Uint8Array | Failure {
    const input = padded(data, 0, 96)
    const failure = readG1(p, input, 0)
    if (failure !== undefined) return failure
    curve.readScalar(scalar, input, 64)
    mcl._mclBnG1_mul(p, p, scalar)
    return writeG1(p)
  }

  function multiply(pairs: number): void {
    mcl._mclBn_millerLoopVec(factor, g1s, g2s, pairs)
    mcl._mclBnGT_mul(product, product, factor)
  }

  function pairing(data: Uint8Array): Uint8Array | Failure {
    mcl._mclBnGT_setInt32(product, 1)
    let waiting = 0
    for (let start = 0; start < data.length; start += PAIR_BYTES) {
      const g1 = g1s + waiting * G1_SIZE
      const g2 = g2s + waiting * G2_SIZE
      const failure = readG1(g1, data, start) ?? readG2(g2, data, start + POINT_BYTES)
      if (failure !== undefined) return failure
      // A pair with the infinite point is a factor of one.
      if (mcl._mclBnG1_isZero(g1) === 1 || mcl._mclBnG2_isZero(g2) === 1) continue
      waiting++
      if (waiting < PAIRS_AT_ONCE) continue
      multiply(waiting)
      waiting = 0
    }
    if (waiting > 0) multiply(waiting)
    mcl._mclBn_finalExp(product, product)
    return truth(mcl._mclBnGT_isOne(product) === 1)
  }

  return {
    add: { gas: () => 150n, run: add },
    mul: { gas: () => 6_000n, run: mul },
    pairing: {
      gas: ({ length }) =>
        length % PAIR_BYTES === 0
          ? 45_000n + 34_000n * BigInt(Math.floor(length / PAIR_BYTES))
          : 'INVALID_INPUT_LENGTH',
      run: pairing,
    },
  }
}

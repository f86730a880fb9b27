import { g1MultiplesGas, g2MultiplesGas } from './bls12381-gas.ts'
import { type Contract, type Failure, isZero, truth } from './contract.ts'
import { type Curve, FIELD_SIZE, G1_SIZE, G2_SIZE, GT_SIZE, SCALAR_SIZE } from './mcl.ts'

/** EIP-2537. Coordinates are of 64 bytes, of which the first 16 are zero. */
export interface Bls12381Contracts {
  readonly g1Add: Contract
  readonly g1Multiples: Contract
  readonly g2Add: Contract
  readonly g2Multiples: Contract
  readonly pairing: Contract
  readonly mapToG1: Contract
  readonly mapToG2: Contract
}

const COORDINATE_BYTES = 64
const ZERO_BYTES = 16
const SCALAR_BYTES = 32
const PAIR_BYTES = 384
/** Pairs of a Miller loop, and of a sum of multiples, at once: more are hardly faster. */
const PAIRS_AT_ONCE = 8
const MULTIPLES_AT_ONCE = 64

/** What differs between the two groups. */
interface Group {
  readonly pointBytes: number
  readonly size: number
  readonly read: (to: number, data: Uint8Array, start: number) => Failure | undefined
  readonly write: (from: number) => Uint8Array
  readonly isZero: (point: number) => number
  readonly isValidOrder: (point: number) => number
  readonly add: (sum: number, a: number, b: number) => void
  readonly mulVec: (sum: number, points: number, scalars: number, n: number) => void
  readonly clear: (point: number) => void
}

/** Whether each 64 bytes from `start`, coordinate by coordinate, begin with zeros. */
function haveZeros(data: Uint8Array, start: number, coordinates: number): boolean {
  for (let i = 0; i < coordinates; i++) {
    const at = start + i * COORDINATE_BYTES
    if (!isZero(data, at, at + ZERO_BYTES)) return false
  }
  return true
}

function groups(curve: Curve): { readonly g1: Group; readonly g2: Group } {
  const { mcl } = curve

  // Both curves are of odd order: no point has a y of zero. The kinds of error are the library's.
  function readG1(to: number, data: Uint8Array, start: number): Failure | undefined {
    mcl._mclBnG1_clear(to)
    if (isZero(data, start, start + 128)) return undefined
    if (!curve.readField(to, data, start + 16) || !curve.readField(to + FIELD_SIZE, data, start + 80))
      return 'REVERT'
    if (isZero(data, start + 64, start + 128)) return 'REVERT'
    mcl._mclBnFp_setInt32(to + 2 * FIELD_SIZE, 1)
    return mcl._mclBnG1_isValid(to) === 1 ? undefined : 'BLS_12_381_POINT_NOT_ON_CURVE'
  }

  function readG2(to: number, data: Uint8Array, start: number): Failure | undefined {
    mcl._mclBnG2_clear(to)
    if (isZero(data, start, start + 256)) return undefined
    for (let i = 0; i < 4; i++)
      if (!curve.readField(to + i * FIELD_SIZE, data, start + i * COORDINATE_BYTES + ZERO_BYTES))
        return 'BLS_12_381_FP_NOT_IN_FIELD'
    if (isZero(data, start + 128, start + 256)) return 'REVERT'
    mcl._mclBnFp_setInt32(to + 4 * FIELD_SIZE, 1)
    return mcl._mclBnG2_isValid(to) === 1 ? undefined : 'BLS_12_381_POINT_NOT_ON_CURVE'
  }

  function write(point: number, coordinates: number): Uint8Array {
    const out = new Uint8Array(coordinates * COORDINATE_BYTES)
    for (let i = 0; i < coordinates; i++)
      curve.writeField(out, i * COORDINATE_BYTES + ZERO_BYTES, point + i * FIELD_SIZE)
    return out
  }

  function writeG1(point: number): Uint8Array {
    if (mcl._mclBnG1_isZero(point) === 1) return new Uint8Array(128)
    mcl._mclBnG1_normalize(point, point)
    return write(point, 2)
  }

  function writeG2(point: number): Uint8Array {
    if (mcl._mclBnG2_isZero(point) === 1) return new Uint8Array(256)
    mcl._mclBnG2_normalize(point, point)
    return write(point, 4)
  }

  return {
    g1: {
      pointBytes: 128,
      size: G1_SIZE,
      read: readG1,
      write: writeG1,
      isZero: mcl._mclBnG1_isZero,
      isValidOrder: mcl._mclBnG1_isValidOrder,
      add: mcl._mclBnG1_add,
      mulVec: mcl._mclBnG1_mulVec,
      clear: mcl._mclBnG1_clear,
    },
    g2: {
      pointBytes: 256,
      size: G2_SIZE,
      read: readG2,
      write: writeG2,
      isZero: mcl._mclBnG2_isZero,
      isValidOrder: mcl._mclBnG2_isValidOrder,
      add: mcl._mclBnG2_add,
      mulVec: mcl._mclBnG2_mulVec,
      clear: mcl._mclBnG2_clear,
    },
  }
}

/** The sum of two points, which need not be of the subgroup. */
function addition(curve: Curve, { pointBytes, size, read, write, add }: Group, gas: bigint): Contract {
  const p = curve.reserve(size)
  const q = curve.reserve(size)
  return {
    gas: () => gas,
    run(data) {
      if (data.length !== 2 * pointBytes) return 'BLS_12_381_INVALID_INPUT_LENGTH'
      if (!haveZeros(data, 0, Math.floor(data.length / COORDINATE_BYTES)))
        return 'BLS_12_381_POINT_NOT_ON_CURVE'
      const failure = read(p, data, 0) ?? read(q, data, pointBytes)
      if (failure !== undefined) return failure
      add(p, p, q)
      return write(p)
    },
  }
}

/** The sum of multiples of points of the subgroup. */
function multiples(curve: Curve, group: Group, gasOf: (pairs: number) => bigint): Contract {
  const { mcl } = curve
  const { pointBytes, size } = group
  const pairBytes = pointBytes + SCALAR_BYTES
  const points = curve.reserve(MULTIPLES_AT_ONCE * size)
  const scalars = curve.reserve(MULTIPLES_AT_ONCE * SCALAR_SIZE)
  const sum = curve.reserve(size)
  const part = curve.reserve(size)

  function addMultiples(waiting: number): void {
    group.mulVec(part, points, scalars, waiting)
    group.add(sum, sum, part)
  }

  function run(data: Uint8Array): Uint8Array | Failure {
    if (data.length % pairBytes !== 0) return 'BLS_12_381_INVALID_INPUT_LENGTH'
    for (let start = 0; start < data.length; start += pairBytes)
      if (!haveZeros(data, start, Math.floor(pointBytes / COORDINATE_BYTES)))
        return 'BLS_12_381_POINT_NOT_ON_CURVE'
    group.clear(sum)
    let waiting = 0
    for (let start = 0; start < data.length; start += pairBytes) {
      const point = points + waiting * size
      const scalar = scalars + waiting * SCALAR_SIZE
      const failure = group.read(point, data, start)
      if (failure !== undefined) return failure
      if (group.isZero(point) === 1) continue
      if (group.isValidOrder(point) !== 1) return 'BLS_12_381_POINT_NOT_ON_CURVE'
      curve.readScalar(scalar, data, start + pointBytes)
      if (mcl._mclBnFr_isZero(scalar) === 1) continue
      waiting++
      if (waiting < MULTIPLES_AT_ONCE) continue
      addMultiples(waiting)
      waiting = 0
    }
    if (waiting > 0) addMultiples(waiting)
    return group.write(sum)
  }

  return {
    gas: ({ length }) => (length === 0 ? 'BLS_12_381_INPUT_EMPTY' : gasOf(Math.floor(length / pairBytes))),
    run,
  }
}

function pairingCheck(curve: Curve, g1: Group, g2: Group): Contract {
  const { mcl } = curve
  const g1s = curve.reserve(PAIRS_AT_ONCE * G1_SIZE)
  const g2s = curve.reserve(PAIRS_AT_ONCE * G2_SIZE)
  const product = curve.reserve(GT_SIZE)
  const factor = curve.reserve(GT_SIZE)

  function readMember(group: Group, to: number, data: Uint8Array, start: number): Failure | undefined {
    const failure = group.read(to, data, start)
    if (failure !== undefined) return failure
    const isMember = group.isZero(to) === 1 || group.isValidOrder(to) === 1
    return isMember ? undefined : 'BLS_12_381_POINT_NOT_ON_CURVE'
  }

  function multiply(pairs: number): void {
    mcl._mclBn_millerLoopVec(factor, g1s, g2s, pairs)
    mcl._mclBnGT_mul(product, product, factor)
  }

  function run(data: Uint8Array): Uint8Array | Failure {
    if (!haveZeros(data, 0, Math.floor(data.length / COORDINATE_BYTES)))
      return 'BLS_12_381_POINT_NOT_ON_CURVE'
    mcl._mclBnGT_setInt32(product, 1)
    let waiting = 0
    for (let start = 0; start < data.length; start += PAIR_BYTES) {
      const p = g1s + waiting * G1_SIZE
      const q = g2s + waiting * G2_SIZE
      const failure = readMember(g1, p, data, start) ?? readMember(g2, q, data, start + g1.pointBytes)
      if (failure !== undefined) return failure
      // A pair with the infinite point is a factor of one.
      if (g1.isZero(p) === 1 || g2.isZero(q) === 1) continue
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
    gas({ length }) {
      if (length === 0) return 'BLS_12_381_INPUT_EMPTY'
      if (length % PAIR_BYTES !== 0) return 'BLS_12_381_INVALID_INPUT_LENGTH'
      return 37_700n + 32_600n * BigInt(Math.floor(length / PAIR_BYTES))
    },
    run,
  }
}

/** A field element (of `coordinates` parts) to a point of the subgroup, by RFC 9380. */
function mapping(
  curve: Curve,
  group: Group,
  coordinates: 1 | 2,
  map: (point: number, element: number) => number,
  gas: bigint,
): Contract {
  const element = curve.reserve(coordinates * FIELD_SIZE)
  const point = curve.reserve(group.size)
  return {
    gas: () => gas,
    run(data) {
      if (data.length !== coordinates * COORDINATE_BYTES) return 'BLS_12_381_INVALID_INPUT_LENGTH'
      if (!haveZeros(data, 0, coordinates)) return 'BLS_12_381_POINT_NOT_ON_CURVE'
      for (let i = 0; i < coordinates; i++)
        if (!curve.readField(element + i * FIELD_SIZE, data, i * COORDINATE_BYTES + ZERO_BYTES))
          return 'BLS_12_381_FP_NOT_IN_FIELD'
      if (map(point, element) !== 0) throw new Error('mcl maps no field element')
      return group.write(point)
    },
  }
}

/** mcl's mode of mapping that is RFC 9380. */
const RFC_9380 = 5

export function makeBls12381(curve: Curve): Bls12381Contracts {
  const { mcl } = curve
  if (mcl._mclBn_setMapToMode(RFC_9380) !== 0) throw new Error('mcl has no RFC 9380')
  const { g1, g2 } = groups(curve)
  return {
    g1Add: addition(curve, g1, 375n),
    g1Multiples: multiples(curve, g1, g1MultiplesGas),
    g2Add: addition(curve, g2, 600n),
    g2Multiples: multiples(curve, g2, g2MultiplesGas),
    pairing: pairingCheck(curve, g1, g2),
    mapToG1: mapping(curve, g1, 1, mcl._mclBnFp_mapToG1, 5_500n),
    mapToG2: mapping(curve, g2, 2, mcl._mclBnFp2_mapToG2, 23_800n),
  }
}

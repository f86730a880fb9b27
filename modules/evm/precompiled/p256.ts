import { compareBytes, fromHex, NO_BYTES } from '../../../core/bytes.ts'
import { type Contract, isZero, truth } from './contract.ts'
import { Curve, FIELD_SIZE, G1_SIZE, SCALAR_SIZE } from './mcl.ts'

/** EIP-7951: a signature of secp256r1 over a digest. What does not verify, whatever the reason, has no bytes as its answer. */

const ORDER = fromHex('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551')

/** Whether the 32 bytes are a number from 1 to the order less 1. */
const isInRange = (bytes: Uint8Array): boolean => !isZero(bytes, 0, 32) && compareBytes(bytes, ORDER) < 0

export async function loadP256(): Promise<Contract> {
  const curve = await Curve.load('p256')
  const { mcl } = curve
  const points = curve.reserve(2 * G1_SIZE)
  const scalars = curve.reserve(2 * SCALAR_SIZE)
  const publicKey = points + G1_SIZE
  const ofBase = scalars
  const ofKey = scalars + SCALAR_SIZE
  const r = curve.reserve(SCALAR_SIZE)
  const inverse = curve.reserve(SCALAR_SIZE)
  const sum = curve.reserve(G1_SIZE)
  const base = curve.reserve(G1_SIZE)
  mcl._mclBnG1_getBasePoint(base)

  function readPublicKey(data: Uint8Array, start: number): boolean {
    mcl._mclBnG1_clear(publicKey)
    if (!curve.readField(publicKey, data, start)) return false
    if (!curve.readField(publicKey + FIELD_SIZE, data, start + 32)) return false
    mcl._mclBnFp_setInt32(publicKey + 2 * FIELD_SIZE, 1)
    return mcl._mclBnG1_isValid(publicKey) === 1
  }

  function isVerified(data: Uint8Array): boolean {
    if (data.length !== 160) return false
    if (!isInRange(data.subarray(32, 64)) || !isInRange(data.subarray(64, 96))) return false
    if (!readPublicKey(data, 96)) return false
    curve.readScalar(ofBase, data, 0)
    curve.readScalar(r, data, 32)
    curve.readScalar(inverse, data, 64)
    mcl._mclBnFr_inv(inverse, inverse)
    mcl._mclBnFr_mul(ofBase, ofBase, inverse)
    mcl._mclBnFr_mul(ofKey, r, inverse)
    curve.bytes.copyWithin(points, base, base + G1_SIZE)
    mcl._mclBnG1_mulVec(sum, points, scalars, 2)
    if (mcl._mclBnG1_isZero(sum) === 1) return false
    mcl._mclBnG1_normalize(sum, sum)
    const x = new Uint8Array(32)
    curve.writeField(x, 0, sum)
    curve.readScalar(ofBase, x, 0)
    return mcl._mclBnFr_isEqual(ofBase, r) === 1
  }

  return { gas: () => 6_900n, run: (data) => (isVerified(data) ? truth(true) : NO_BYTES) }
}

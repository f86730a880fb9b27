import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bn254 } from '@noble/curves/bn254.js'
import { concatBytes, fromHex } from '../../../core/bytes.ts'

/** Points by noble in the encodings of Ethereum's precompiled contracts, good and bad. */

export const encoded = (value: bigint, bytes = 32): Uint8Array =>
  fromHex(value.toString(16).padStart(2 * bytes, '0'))

interface Point<P> {
  add(other: P): P
  double(): P
}

/** A multiple by doubling and adding, of any point and by any number from 1: noble's own asks for less than the order. */
export function times<P extends Point<P>>(point: P, by: bigint): P {
  let result: P | undefined
  for (const digit of by.toString(2)) {
    if (result !== undefined) result = result.double()
    if (digit === '1') result = result === undefined ? point : result.add(point)
  }
  return result!
}

type Fp2 = { c0: bigint; c1: bigint }

export const bn = {
  p: bn254.fields.Fp.ORDER,
  order: bn254.fields.Fr.ORDER,
  G1: bn254.G1.Point,
  G2: bn254.G2.Point,
}
export type BnG1 = typeof bn.G1.BASE
export type BnG2 = typeof bn.G2.BASE

export function bnG1(point: BnG1): Uint8Array {
  if (point.is0()) return new Uint8Array(64)
  const { x, y } = point.toAffine()
  return concatBytes(encoded(x), encoded(y))
}

export function bnG2(point: BnG2): Uint8Array {
  if (point.is0()) return new Uint8Array(128)
  const { x, y } = point.toAffine() as { x: Fp2; y: Fp2 }
  return concatBytes(encoded(x.c1), encoded(x.c0), encoded(y.c1), encoded(y.c0))
}

/** A point of the twist, and of no subgroup that is known: the least at or after `x`. */
export function bnTwistPoint(x: bigint): BnG2 {
  const { Fp2 } = bn254.fields
  for (let c0 = x; ; c0++) {
    const at = Fp2.create({ c0, c1: 1n })
    const square = Fp2.add(Fp2.mul(Fp2.sqr(at), at), bnTwistB)
    try {
      return bn.G2.fromAffine({ x: at, y: Fp2.sqrt(square) })
    } catch {
      // No square: the next.
    }
  }
}
const bnTwistB = (() => {
  const { Fp2 } = bn254.fields
  const { x, y } = bn.G2.BASE.toAffine()
  return Fp2.sub(Fp2.sqr(y), Fp2.mul(Fp2.sqr(x), x))
})()

export const bls = {
  p: bls12_381.fields.Fp.ORDER,
  order: bls12_381.fields.Fr.ORDER,
  G1: bls12_381.G1.Point,
  G2: bls12_381.G2.Point,
}
export type BlsG1 = typeof bls.G1.BASE
export type BlsG2 = typeof bls.G2.BASE

export function blsG1(point: BlsG1): Uint8Array {
  if (point.is0()) return new Uint8Array(128)
  const { x, y } = point.toAffine()
  return concatBytes(encoded(x, 64), encoded(y, 64))
}

export function blsG2(point: BlsG2): Uint8Array {
  if (point.is0()) return new Uint8Array(256)
  const { x, y } = point.toAffine() as { x: Fp2; y: Fp2 }
  return concatBytes(encoded(x.c0, 64), encoded(x.c1, 64), encoded(y.c0, 64), encoded(y.c1, 64))
}

/** A point of the curve over Fp, and of no subgroup that is known. */
export function blsCurvePoint(x: bigint): BlsG1 {
  const { Fp } = bls12_381.fields
  for (let at = x; ; at++)
    try {
      return bls.G1.fromAffine({ x: at, y: Fp.sqrt(Fp.create(at * at * at + 4n)) })
    } catch {
      // No square: the next.
    }
}

/** The same of the twist. */
export function blsTwistPoint(x: bigint): BlsG2 {
  const { Fp2 } = bls12_381.fields
  const b = Fp2.create({ c0: 4n, c1: 4n })
  for (let c0 = x; ; c0++) {
    const at = Fp2.create({ c0, c1: 0n })
    try {
      return bls.G2.fromAffine({ x: at, y: Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(at), at), b)) })
    } catch {
      // No square: the next.
    }
  }
}

/** The groups' cofactors: how many times the order the curve and its twist have points. */
export const cofactors = {
  blsG1: 0x396c8c005555e1568c00aaab0000aaabn,
  blsG2:
    0x5d543a95414e7f1091d50792876a202cd91de4547085abaa68a205b2e5a7ddfa628f1cb4d9e82ef21537e293a6691ae1616ec6e786f0c70cf1c38e31c7238e5n,
  bnG2: 2n * bn.p - bn.order,
}

/** A point of the small order `order`, which divides the cofactor, from one of the whole curve. */
export function ofSmallOrder<P extends Point<P> & { is0(): boolean }>(
  whole: (x: bigint) => P,
  groupOrder: bigint,
  cofactor: bigint,
  order: bigint,
): P {
  for (let x = 1n; ; x++) {
    let point = times(whole(x), groupOrder)
    let rest = cofactor
    while (rest % order === 0n) rest /= order
    point = times(point, rest)
    if (point.is0()) continue
    for (;;) {
      const next = times(point, order)
      if (next.is0()) return point
      point = next
    }
  }
}

import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { concatBytes, sha256, utf8 } from '../../core/bytes.ts'
import {
  bls,
  blsCurvePoint,
  blsG1,
  blsG2,
  blsTwistPoint,
  bn,
  bnG1,
  bnG2,
  bnTwistPoint,
  encoded,
} from '../../test/kit/evm/points.ts'

/** Inputs to add to: what is usual, what is dear for its gas, and what fails late. */
export interface Input {
  readonly address: number
  readonly name: string
  readonly data: Uint8Array
  /** The gas of CALL (100, warm) counts too, where that of the contract is next to nothing. */
  readonly isCallCounted?: boolean
}

const repeat = (n: number, of: (i: number) => Uint8Array): Uint8Array =>
  concatBytes(...Array.from({ length: n }, (_, i) => of(i)))
const ones = (n: number): Uint8Array => new Uint8Array(n).fill(255)
/** As good as random, of `n` bytes, the first and the last of them given. */
function large(seed: string, n: number, last: number): Uint8Array {
  const out = new Uint8Array(n).map((_, i) => sha256(utf8(`${seed} ${i}`))[0]!)
  if (n > 1) out[0] = 255
  out[n - 1] = last
  return out
}
/** A scalar that is large and another for each `i`. */
const scalar = (i: number): Uint8Array => sha256(utf8(`scalar ${i}`))
const changed = (data: Uint8Array, at: number): Uint8Array =>
  Uint8Array.from(data, (byte, i) => (i === at ? byte ^ 1 : byte))

const digest = sha256(utf8('digest'))
const key = scalar(0)

function ecrecover(): Input[] {
  const signature = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' })
  const good = concatBytes(digest, encoded(27n + BigInt(signature[0]!)), signature.subarray(1))
  return [
    { address: 1, name: 'a signature', data: good },
    {
      address: 1,
      name: 'R on no point',
      data: concatBytes(good.subarray(0, 64), encoded(5n), good.subarray(96)),
    },
    { address: 1, name: 'S beyond the order', data: concatBytes(good.subarray(0, 96), ones(32)) },
    { address: 1, name: 'v is 0', data: concatBytes(digest, encoded(0n), good.subarray(64)) },
  ]
}

const hashed = (address: number): Input[] =>
  [0, 32, 64, 4_096, 131_072].map((length) => ({ address, name: `${length} bytes`, data: ones(length) }))

function modexp(): Input[] {
  const sized = (base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array): Uint8Array =>
    concatBytes(
      ...[base, exponent, modulus].map(({ length }) => encoded(BigInt(length))),
      base,
      exponent,
      modulus,
    )
  const of = (b: number, e: number, m: number, last: number): Input => ({
    address: 5,
    name: `${b} ^ ${e} mod ${m} bytes, ${last % 2 === 0 ? 'even' : 'odd'}`,
    data: sized(large('base', b, 0xfd), ones(e), large('modulus', m, last)),
  })
  return [
    ...[1, 8, 16, 24, 31, 32].flatMap((n) => [of(n, 32, n, 255), of(n, 4, n, 255)]),
    of(32, 32, 32, 254),
    of(32, 1_024, 32, 255),
    of(1, 1_024, 1, 255),
    of(1_024, 4, 1, 255),
    ...[33, 40, 48, 64, 128, 256, 512, 1_024].map((n) => of(n, 32, n, 255)),
    of(1_024, 1, 1_024, 254),
    of(1_024, 1_024, 1_024, 255),
    {
      address: 5,
      name: '256 bytes ^ 65537 (RSA)',
      data: sized(large('base', 256, 0xfd), Uint8Array.of(1, 0, 1), large('modulus', 256, 255)),
    },
    { address: 5, name: 'lengths of 2^256 - 1, no gas for it', data: ones(96), isCallCounted: true },
  ]
}

function bn254(): Input[] {
  const p = bnG1(bn.G1.BASE.multiply(12_345n))
  const q = bnG1(bn.G1.BASE.multiply(54_321n))
  const g2 = bnG2(bn.G2.BASE.multiply(777n))
  const pair = concatBytes(p, g2)
  return [
    { address: 6, name: 'P + Q', data: concatBytes(p, q) },
    { address: 6, name: 'P + P', data: concatBytes(p, p) },
    { address: 6, name: 'no bytes', data: new Uint8Array(0) },
    { address: 6, name: 'Q not on the curve', data: concatBytes(p, changed(q, 63)) },
    { address: 7, name: 'a large scalar', data: concatBytes(p, encoded(bn.order - 12n)) },
    { address: 7, name: 'a scalar beyond the order', data: concatBytes(p, ones(32)) },
    { address: 7, name: 'P not on the curve', data: concatBytes(changed(p, 63), ones(32)) },
    ...[0, 1, 2, 4, 8, 9, 24].map((n) => ({ address: 8, name: `${n} pairs`, data: repeat(n, () => pair) })),
    {
      address: 8,
      name: 'the last of 4 outside of the group',
      data: concatBytes(pair, pair, pair, p, bnG2(bnTwistPoint(1n))),
    },
  ]
}

function blake2f(): Input[] {
  const of = (rounds: number): Input => ({
    address: 9,
    name: `${rounds} rounds`,
    data: concatBytes(encoded(BigInt(rounds), 4), ones(208), Uint8Array.of(1)),
    isCallCounted: rounds < 1_000,
  })
  return [
    ...[0, 1, 12, 100, 1_000, 100_000].map(of),
    { address: 9, name: 'a wrong length', data: ones(212), isCallCounted: true },
  ]
}

function pointEvaluation(): Input[] {
  const compressed = (point: Uint8Array): Uint8Array =>
    Uint8Array.from(point, (byte, i) => (i === 0 ? byte | 0x80 : byte))
  const input = (commitment: Uint8Array, proof: Uint8Array): Uint8Array => {
    const hash = sha256(commitment)
    hash[0] = 1
    return concatBytes(
      hash,
      scalar(3).map((byte, i) => (i === 0 ? 5 : byte)),
      encoded(7n),
      commitment,
      proof,
    )
  }
  const P = bls.G1.BASE.multiply(99n).toBytes(true)
  const Q = bls.G1.BASE.multiply(98n).toBytes(true)
  const outside = compressed(encoded(blsCurvePoint(1n).toAffine().x, 48))
  return [
    { address: 10, name: 'a proof that fails at last', data: input(P, Q) },
    { address: 10, name: 'a proof outside of the subgroup', data: input(P, outside) },
    { address: 10, name: 'another hash', data: changed(input(P, Q), 5) },
  ]
}

function bls12381(): Input[] {
  const g1 = (i: number): Uint8Array => blsG1(bls.G1.BASE.multiply(BigInt(i + 777)))
  const g2 = (i: number): Uint8Array => blsG2(bls.G2.BASE.multiply(BigInt(i + 777)))
  const outside1 = blsG1(blsCurvePoint(1n))
  const outside2 = blsG2(blsTwistPoint(1n))
  const groups = [
    { name: 'G1', add: 0x0b, sum: 0x0c, of: g1, outside: outside1 },
    { name: 'G2', add: 0x0d, sum: 0x0e, of: g2, outside: outside2 },
  ]
  return [
    ...groups.flatMap(({ name, add, sum, of, outside }): Input[] => [
      { address: add, name: `${name}: P + Q`, data: concatBytes(of(1), of(2)) },
      { address: add, name: `${name}: P + P`, data: concatBytes(of(1), of(1)) },
      {
        address: add,
        name: `${name}: Q not on the curve`,
        data: concatBytes(of(1), changed(of(2), of(2).length - 1)),
      },
      ...[1, 2, 3, 8, 32, 63, 64, 65, 128, 256].map((n) => ({
        address: sum,
        name: `${name}: ${n} multiples`,
        data: repeat(n, (i) => concatBytes(of(i), scalar(i))),
      })),
      {
        address: sum,
        name: `${name}: the last of 128 outside of the subgroup`,
        data: concatBytes(
          repeat(127, (i) => concatBytes(of(i), scalar(i))),
          outside,
          scalar(1),
        ),
      },
    ]),
    ...[1, 2, 4, 8, 9, 24].map((n) => ({
      address: 0x0f,
      name: `${n} pairs`,
      data: repeat(n, (i) => concatBytes(g1(i), g2(i))),
    })),
    {
      address: 0x0f,
      name: 'the last of 4 outside of the subgroup',
      data: concatBytes(
        repeat(3, (i) => concatBytes(g1(i), g2(i))),
        g1(1),
        outside2,
      ),
    },
    { address: 0x10, name: 'an element', data: concatBytes(new Uint8Array(17), ones(47)) },
    { address: 0x10, name: 'an element beyond the field', data: concatBytes(new Uint8Array(16), ones(48)) },
    { address: 0x11, name: 'an element', data: repeat(2, () => concatBytes(new Uint8Array(17), ones(47))) },
  ]
}

function p256Verify(): Input[] {
  const publicKey = p256.getPublicKey(key, false).subarray(1)
  const good = concatBytes(digest, p256.sign(digest, key, { prehash: false }), publicKey)
  return [
    { address: 0x100, name: 'a signature', data: good },
    { address: 0x100, name: 'a signature of something else', data: changed(good, 3) },
    { address: 0x100, name: 'a key not on the curve', data: changed(good, 159) },
  ]
}

export const inputs = (): Input[] => [
  ...ecrecover(),
  ...[2, 3, 4].flatMap(hashed),
  ...modexp(),
  ...bn254(),
  ...blake2f(),
  ...pointEvaluation(),
  ...bls12381(),
  ...p256Verify(),
]

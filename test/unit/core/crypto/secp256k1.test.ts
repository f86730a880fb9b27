import { secp256k1 } from '@noble/curves/secp256k1.js'
import { expect } from 'chai'
import fc from 'fast-check'
import { concatBytes, fromHex, sha256, toHex, utf8 } from '../../../../core/bytes.ts'
import { isLowS, recoverSecp256k1 } from '../../../../core/crypto/secp256k1.ts'

const ORDER = secp256k1.Point.Fn.ORDER
const FIELD = secp256k1.Point.Fp.ORDER
const word = (value: bigint): Uint8Array => fromHex(value.toString(16).padStart(64, '0'))

/** A signature by noble, and its twin with the other S. */
function signed(text: string, key: Uint8Array) {
  const digest = sha256(utf8(text))
  const signature = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' })
  const id = signature[0]!
  const low = signature.slice(1)
  const s = BigInt(`0x${toHex(low.subarray(32))}`)
  const high = concatBytes(low.subarray(0, 32), word(ORDER - s))
  return { digest, low, high, id, publicKey: secp256k1.getPublicKey(key, false).slice(1) }
}

/** What noble recovers. */
function noble(digest: Uint8Array, signature: Uint8Array, id: number): string | undefined {
  try {
    const recovered = secp256k1.recoverPublicKey(concatBytes(Uint8Array.of(id), signature), digest, {
      prehash: false,
    })
    return toHex(secp256k1.Point.fromBytes(recovered).toBytes(false).slice(1))
  } catch {
    return undefined
  }
}
const recovered = (digest: Uint8Array, signature: Uint8Array, id: number): string | undefined => {
  const key = recoverSecp256k1(digest, signature, id)
  return key && toHex(key)
}

describe('Public keys recovered from secp256k1 signatures', () => {
  const key = new Uint8Array(32).fill(5)
  const { digest, low, high, id, publicKey } = signed('a message', key)

  it('are the signers', () => {
    fc.assert(
      fc.property(fc.string(), fc.bigInt(1n, ORDER - 1n), (text, secret) => {
        const each = signed(text, word(secret))
        expect(recovered(each.digest, each.low, each.id)).to.equal(toHex(each.publicKey))
      }),
    )
  })

  it('are the same for the twin with a high S and the other id, which only isLowS tells apart', () => {
    expect(recovered(digest, high, id ^ 1)).to.equal(toHex(publicKey))
    expect(recovered(digest, high, id)).not.to.equal(toHex(publicKey))
    expect(isLowS(low)).to.equal(true)
    expect(isLowS(high)).to.equal(false)
    for (const [s, isLow] of [
      [1n, true],
      [ORDER >> 1n, true],
      [(ORDER >> 1n) + 1n, false],
      [ORDER - 1n, false],
    ] as const)
      expect(isLowS(concatBytes(word(1n), word(s))), `${s}`).to.equal(isLow)
    expect(isLowS(low.subarray(1))).to.equal(false)
  })

  it('are none where R or S is zero or beyond the order, R is on no point, or the point is the infinite one', () => {
    const r = low.subarray(0, 32)
    const s = low.subarray(32)
    for (const bad of [0n, ORDER, ORDER + 1n, FIELD, 2n ** 256n - 1n])
      for (const signature of [concatBytes(word(bad), s), concatBytes(r, word(bad))])
        for (const each of [0, 1, 2, 3]) expect(recovered(digest, signature, each)).to.equal(undefined)
    let onNoPoint = 0
    for (let x = 1n; x < 40n; x++)
      for (const each of [0, 1, 2, 3]) {
        const signature = concatBytes(word(x), s)
        const expected = noble(digest, signature, each)
        if (expected === undefined) onNoPoint++
        expect(recovered(digest, signature, each), `${x} ${each}`).to.equal(expected)
      }
    expect(onNoPoint).to.be.above(10)
    // s·R = digest·G, so that the key would be infinite: R = G, s = digest.
    const generator = word(secp256k1.Point.BASE.toAffine().x)
    const yIsOdd = Number(secp256k1.Point.BASE.toAffine().y & 1n)
    expect(recovered(word(7n), concatBytes(generator, word(7n)), yIsOdd)).to.equal(undefined)
    expect(recovered(word(7n), concatBytes(generator, word(7n)), yIsOdd ^ 1)).to.match(/^[0-9a-f]{128}$/)
  })

  it('equal noble for digests of zero, of the order and beyond, and for changed signatures', () => {
    for (const each of [0n, 1n, ORDER - 1n, ORDER, ORDER + 1n, 2n ** 256n - 1n])
      for (const recovery of [0, 1])
        expect(recovered(word(each), low, recovery)).to.equal(noble(word(each), low, recovery))
    fc.assert(
      fc.property(fc.nat(63), fc.nat(255), fc.nat(3), (at, byte, recovery) => {
        const changed = low.slice()
        changed[at] = byte
        expect(recovered(digest, changed, recovery)).to.equal(noble(digest, changed, recovery))
      }),
    )
  })

  it('are none for wrong lengths and ids', () => {
    expect(recoverSecp256k1(digest.subarray(1), low, id)).to.equal(undefined)
    expect(recoverSecp256k1(digest, low.subarray(1), id)).to.equal(undefined)
    expect(recoverSecp256k1(digest, concatBytes(low, low), id)).to.equal(undefined)
    for (const wrong of [-1, 4, 0.5, Number.NaN])
      expect(recoverSecp256k1(digest, low, wrong)).to.equal(undefined)
  })
})

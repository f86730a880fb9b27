import { secp256k1 } from '@noble/curves/secp256k1.js'
import { expect } from 'chai'
import fc from 'fast-check'
import { hexToBytes, keccak256 as viemKeccak } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { concatBytes, fromHex, toHex, utf8 } from '../../../../core/bytes.ts'
import { publicKeyOf, signAs, singleKey, verifySingle } from '../../../../core/crypto/account-key.ts'
import { ETHERMINT_URL, ETHSECP256K1_URL, parsePublicKey } from '../../../../core/crypto/public-key.ts'
import { checksumAddress } from '../../../../core/hex-address.ts'
import { packAny } from '../../../../core/wire/registry.ts'

const ORDER = secp256k1.Point.Fn.ORDER
const word = (value: bigint): Uint8Array => fromHex(value.toString(16).padStart(64, '0'))
const secret = fc.bigInt(1n, ORDER - 1n).map(word)
const digestOf = (text: string): Uint8Array => hexToBytes(viemKeccak(utf8(text)))

/** What noble says of a signature, with the rule of the low S. */
function noble(key: Uint8Array, text: string, signature: Uint8Array): boolean {
  try {
    return secp256k1.verify(signature, digestOf(text), key, { prehash: false, lowS: true })
  } catch {
    return false
  }
}

describe('A key with the address of Ethereum', () => {
  const key = word(7n)
  const { key: publicKey } = publicKeyOf('ethsecp256k1', key)
  const single = singleKey('ethsecp256k1', publicKey)
  const signature = signAs('ethsecp256k1', key, utf8('a message'))
  const verifies = (text: string, bytes: Uint8Array): boolean => verifySingle(single, utf8(text), bytes)

  it('has the address that viem gives it', () => {
    fc.assert(
      fc.property(secret, (privateKey) => {
        const { address } = publicKeyOf('ethsecp256k1', privateKey)
        expect(checksumAddress(address)).to.equal(privateKeyToAccount(`0x${toHex(privateKey)}`).address)
      }),
    )
  })

  it('signs over keccak256 what noble verifies, and verifies what noble signs', () => {
    fc.assert(
      fc.property(secret, fc.string(), (privateKey, text) => {
        const own = publicKeyOf('ethsecp256k1', privateKey)
        expect(noble(own.key, text, signAs('ethsecp256k1', privateKey, utf8(text)))).to.equal(true)
        const theirs = secp256k1.sign(digestOf(text), privateKey, { prehash: false })
        expect(verifySingle(own, utf8(text), theirs)).to.equal(true)
        expect(verifySingle(singleKey('secp256k1', own.key), utf8(text), theirs)).to.equal(false)
      }),
    )
  })

  it('verifies of changed signatures what noble verifies', () => {
    fc.assert(
      fc.property(fc.nat(63), fc.nat(255), fc.string(), (at, byte, text) => {
        const changed = signature.slice()
        changed[at] = byte
        expect(verifies('a message', changed)).to.equal(noble(publicKey, 'a message', changed))
        expect(verifies(text, signature)).to.equal(noble(publicKey, text, signature))
      }),
    )
  })

  it('takes 65 bytes whatever the last one is, and no other length', () => {
    expect(verifies('a message', signature)).to.equal(true)
    for (const last of [0, 1, 27, 28, 255])
      expect(verifies('a message', concatBytes(signature, Uint8Array.of(last))), `${last}`).to.equal(true)
    for (const wrong of [
      new Uint8Array(0),
      signature.subarray(0, 63),
      concatBytes(signature, new Uint8Array(2)),
      concatBytes(Uint8Array.of(0), signature),
    ])
      expect(verifies('a message', wrong), `${wrong.length}`).to.equal(false)
  })

  it('refuses a high S, with 64 bytes and with 65, and R and S that are zero or beyond the order', () => {
    const r = signature.subarray(0, 32)
    const s = BigInt(`0x${toHex(signature.subarray(32))}`)
    const high = concatBytes(r, word(ORDER - s))
    expect(verifies('a message', high)).to.equal(false)
    expect(verifies('a message', concatBytes(high, Uint8Array.of(1)))).to.equal(false)
    for (const bad of [0n, ORDER, 2n ** 256n - 1n])
      for (const each of [concatBytes(word(bad), word(s)), concatBytes(r, word(bad))])
        expect(verifies('a message', each)).to.equal(false)
  })

  it('is refused where its bytes are no compressed point, by either name', () => {
    const { x, y } = secp256k1.Point.BASE.toAffine()
    const hostile: Uint8Array[] = [
      new Uint8Array(0),
      new Uint8Array(33),
      // On no point of the curve.
      concatBytes(Uint8Array.of(2), word(5n)),
      concatBytes(Uint8Array.of(2), word(2n ** 256n - 1n)),
      concatBytes(Uint8Array.of(5), publicKey.subarray(1)),
      publicKey.subarray(0, 32),
      concatBytes(publicKey, Uint8Array.of(0)),
      concatBytes(Uint8Array.of(4), word(x), word(y)),
      concatBytes(word(x), word(y)),
    ]
    for (const url of [ETHSECP256K1_URL, ETHERMINT_URL]) {
      expect(parsePublicKey(packAny(url.slice(1), { key: publicKey })).address).to.deep.equal(single.address)
      for (const each of hostile) {
        const any = packAny(url.slice(1), { key: each })
        expect(() => parsePublicKey(any), toHex(each))
          .to.throw('not a compressed secp256k1 point')
          .with.property('code', 8)
      }
      expect(() => parsePublicKey({ typeUrl: url, value: Uint8Array.of(0x0a, 0xff) })).to.throw('malformed')
    }
  })
})

import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { expect } from 'chai'
import { concatBytes, fromHex, utf8 } from '../../../../core/bytes.ts'
import { verifyEd25519 } from '../../../../core/crypto/ed25519.ts'

/** Every encoding of a point of small order: the eight points, and six forms that RFC 8032 does not allow. */
const smallOrder = [
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  '00'.repeat(32),
  `${'00'.repeat(31)}80`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  `01${'00'.repeat(30)}80`,
  `ec${'ff'.repeat(31)}`,
  `ee${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(31)}`,
  `ed${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(31)}`,
].map(fromHex)
const message = utf8('Zcash')
const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n

function openSslAccepts(key: Uint8Array, signature: Uint8Array): boolean {
  const der = Buffer.from(concatBytes(fromHex('302a300506032b6570032100'), key))
  try {
    return verify(null, message, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature)
  } catch {
    return false
  }
}

describe('Signatures of ed25519', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32))
  const good = new Uint8Array(sign(null, message, privateKey))

  it('verify by the rules of ZIP 215: all 196 pairs of points of small order', () => {
    for (const a of smallOrder)
      for (const r of smallOrder)
        expect(verifyEd25519(a, message, concatBytes(r, new Uint8Array(32)))).to.equal(true)
  })

  it('are refused by OpenSSL for some of those, so that the second opinion is needed', () => {
    const accepted = smallOrder.filter((a) =>
      smallOrder.some((r) => openSslAccepts(a, concatBytes(r, new Uint8Array(32)))),
    )
    const pairs = smallOrder.flatMap((a) =>
      smallOrder.filter((r) => openSslAccepts(a, concatBytes(r, new Uint8Array(32)))),
    )
    expect(accepted.length).to.be.greaterThan(0)
    expect(pairs.length).to.be.lessThan(196)
  })

  it('are refused with a scalar beyond the order of the group', () => {
    let s = 0n
    for (const byte of [...good.subarray(32)].reverse()) s = (s << 8n) | BigInt(byte)
    const beyond = good.slice()
    for (let i = 0, rest = s + GROUP_ORDER; i < 32; i++, rest >>= 8n) beyond[32 + i] = Number(rest & 255n)
    expect(verifyEd25519(key, message, good)).to.equal(true)
    expect(verifyEd25519(key, message, beyond)).to.equal(false)
  })

  it('are refused of another message, another key, or another length', () => {
    expect(verifyEd25519(key, utf8('zcash'), good)).to.equal(false)
    expect(verifyEd25519(key, message, good.subarray(1))).to.equal(false)
    expect(
      verifyEd25519(
        key.map((b, i) => (i === 3 ? b ^ 1 : b)),
        message,
        good,
      ),
    ).to.equal(false)
  })
})

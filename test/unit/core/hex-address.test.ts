import { expect } from 'chai'
import fc from 'fast-check'
import { getAddress } from 'viem'
import { type Address, formatAddress } from '../../../core/address.ts'
import { fromHex, toHex } from '../../../core/bytes.ts'
import { checksumAddress, hexForm, parseEitherAddress } from '../../../core/hex-address.ts'

/** Those of EIP-55. */
const VECTORS = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
]

const bytesOf = (text: string): Uint8Array => fromHex(text.slice(2).toLowerCase())
const refusal = (text: string): Error => {
  try {
    parseEitherAddress(text)
  } catch (error) {
    return error as Error
  }
  throw new Error(`${text} was taken`)
}

describe('An address in the form of Ethereum', () => {
  it('has the checksum of EIP-55', () => {
    for (const vector of VECTORS) expect(checksumAddress(bytesOf(vector))).to.equal(vector)
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
        expect(checksumAddress(bytes)).to.equal(getAddress(`0x${toHex(bytes)}`))
      }),
    )
  })

  it('is read with its checksum, in small letters and in capitals', () => {
    for (const vector of VECTORS)
      for (const text of [
        vector,
        vector.toLowerCase(),
        `0x${vector.slice(2).toUpperCase()}`,
        formatAddress(bytesOf(vector)),
      ])
        expect([...parseEitherAddress(text)], text).to.deep.equal([...bytesOf(vector)])
  })

  it('is refused where a letter or a digit is another than the checksum says', () => {
    const right = VECTORS[4]!
    for (let i = 2; i < right.length; i++) {
      const letter = right[i]!
      const other = letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()
      if (other === letter) continue
      const wrong = right.slice(0, i) + other + right.slice(i + 1)
      expect(refusal(wrong), wrong).to.include({ codespace: 'sdk', code: 7 })
      expect(refusal(wrong).message).to.match(/the checksum of 0x\S+ is wrong/)
    }
    expect(refusal(right.replace('9b9A', '9b8A')).message).to.match(/checksum/)
  })

  it('is refused with other than 40 digits, and another prefix', () => {
    for (const text of ['0x', '0x12', `${VECTORS[2]}0`, VECTORS[2]!.slice(0, -1), `0x${'g'.repeat(40)}`])
      expect(refusal(text).message, text).to.match(/0x and 40 hexadecimal digits/)
    expect(refusal(VECTORS[2]!.replace('0x', '0X')).message).to.match(/0x and 40 hexadecimal digits/)
    expect(refusal(VECTORS[2]!.slice(2))).to.include({ codespace: 'sdk', code: 7 })
    expect(refusal('fornax1qqqq')).to.include({ codespace: 'sdk', code: 7 })
  })

  it('is there for 20 bytes alone', () => {
    const long = new Uint8Array(32) as Address
    expect(hexForm(long)).to.equal(undefined)
    expect(hexForm(bytesOf(VECTORS[0]!))).to.equal(VECTORS[0])
    expect(() => checksumAddress(long)).to.throw(/32 bytes has no 0x form/)
  })
})

import { keccak_256 } from '@noble/hashes/sha3.js'
import { expect } from 'chai'
import fc from 'fast-check'
import { concatBytes, toHex, utf8 } from '../../../../core/bytes.ts'
import { keccak256 } from '../../../../core/crypto/keccak.ts'

describe('Keccak-256', () => {
  it('has the digests that Ethereum knows by heart', () => {
    expect(toHex(keccak256())).to.equal('c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470')
    expect(toHex(keccak256(Uint8Array.of(0x80)))).to.equal(
      '56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
    )
    expect(toHex(keccak256(utf8('transfer(address,uint256)')))).to.match(/^a9059cbb/)
  })

  it('equals noble at every length around a block and a chunk', () => {
    for (const length of [
      0, 1, 31, 32, 33, 135, 136, 137, 271, 272, 273, 4_096, 16_383, 16_384, 16_385, 100_000,
    ]) {
      const bytes = new Uint8Array(length).map((_, i) => (i * 31 + length) & 0xff)
      expect(toHex(keccak256(bytes)), `${length} bytes`).to.equal(toHex(keccak_256(bytes)))
    }
  })

  it('is of the parts behind one another, wherever in a buffer they stand', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 5 }), (parts) => {
        const shifted = parts.map((part) =>
          concatBytes(Uint8Array.of(9, 9, 9), part, Uint8Array.of(9)).subarray(3, -1),
        )
        expect(toHex(keccak256(...shifted))).to.equal(toHex(keccak_256(concatBytes(...parts))))
      }),
    )
  })

  it('gives bytes of their own, which the next digest leaves alone', () => {
    const first = keccak256(utf8('first'))
    const before = toHex(first)
    keccak256(utf8('second'))
    expect(toHex(first)).to.equal(before)
  })
})

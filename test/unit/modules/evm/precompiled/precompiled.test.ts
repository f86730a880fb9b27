import { expect } from 'chai'
import fc from 'fast-check'
import { concatBytes } from '../../../../../core/bytes.ts'
import { addresses, compared, ourAddresses, ourAnswer } from '../../../../kit/evm/precompiled.ts'

const SHA256 = 2
const RIPEMD160 = 3
const IDENTITY = 4

describe('The precompiled contracts', () => {
  it('are those of Osaka', () => {
    expect(ourAddresses).to.have.length(18)
    expect(ourAddresses).to.have.members(addresses)
  })

  it('hash and copy as the library does, at each length around words and blocks', async () => {
    for (const address of [SHA256, RIPEMD160, IDENTITY])
      for (const length of [0, 1, 31, 32, 33, 55, 56, 63, 64, 65, 127, 128, 1_000, 65_537])
        await compared(
          address,
          new Uint8Array(length).map((_, i) => (i * 7 + length) & 0xff),
        )
  })

  it('give bytes of their own: a copy is not its original, and a result stays what it was', async () => {
    const data = Uint8Array.of(1, 2, 3)
    const answer = await ourAnswer(IDENTITY, data)
    data.fill(9)
    expect(answer.bytes).to.equal('010203')
  })

  it('throw for no input, and answer the same bytes again wherever these stand in a buffer', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 600 }),
      fc
        .integer({ min: 0, max: 4 })
        .chain((n) =>
          fc.constantFrom(
            ...[96, 128, 160, 192, 213, 256, 288, 384, 512].map((unit) => new Uint8Array(unit * n)),
          ),
        ),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ourAddresses),
        bytes,
        fc.bigInt(0n, 10n ** 6n),
        async (address, data, gas) => {
          const first = await ourAnswer(Number(`0x${address}`), data, gas)
          const elsewhere = concatBytes(Uint8Array.of(1, 2, 3), data, Uint8Array.of(4)).subarray(
            3,
            3 + data.length,
          )
          expect(await ourAnswer(Number(`0x${address}`), elsewhere, gas)).to.deep.equal(first)
          expect(first.gas <= gas).to.equal(true)
          if (first.error !== undefined) expect([first.gas, first.bytes]).to.deep.equal([gas, ''])
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('equal the library for input at random', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ourAddresses),
        fc.uint8Array({ maxLength: 600 }),
        async (address, data) => {
          await compared(Number(`0x${address}`), data)
        },
      ),
      { numRuns: 500 },
    )
  })
})

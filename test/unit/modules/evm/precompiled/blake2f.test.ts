import { expect } from 'chai'
import fc from 'fast-check'
import { concatBytes } from '../../../../../core/bytes.ts'
import { compression, loadBlake2f } from '../../../../../modules/evm/precompiled/blake2f.ts'
import { encoded } from '../../../../kit/evm/points.ts'
import { compared, ourAnswer } from '../../../../kit/evm/precompiled.ts'

const BLAKE2F = 9
const state = fc.uint8Array({ minLength: 208, maxLength: 208 })

describe('The contract of BLAKE2b compression equals the library', () => {
  it('for each number of rounds around the ten whose order repeats, last block or not', async () => {
    const body = new Uint8Array(208).map((_, i) => (i * 73 + 5) & 0xff)
    for (let rounds = 0; rounds <= 33; rounds++)
      for (const last of [0, 1])
        await compared(BLAKE2F, concatBytes(encoded(BigInt(rounds), 4), body, Uint8Array.of(last)))
  })

  it('for more rounds than are made in one call', async () => {
    const body = new Uint8Array(208).map((_, i) => (i * 73 + 5) & 0xff)
    for (const rounds of [999, 1_000, 1_001, 1_010, 1_999, 2_000, 2_005, 12_345])
      await compared(BLAKE2F, concatBytes(encoded(BigInt(rounds), 4), body, Uint8Array.of(1)))
  })

  it('at random', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(300), state, fc.nat(1), async (rounds, body, last) => {
        await compared(BLAKE2F, concatBytes(encoded(BigInt(rounds), 4), body, Uint8Array.of(last)))
      }),
      { numRuns: 200 },
    )
  })

  it('for words of all ones and all zeros', async () => {
    for (const byte of [0, 255])
      for (const last of [0, 1])
        await compared(
          BLAKE2F,
          concatBytes(encoded(12n, 4), new Uint8Array(208).fill(byte), Uint8Array.of(last)),
        )
  })

  it('for other lengths and other marks of the last block', async () => {
    for (const length of [0, 1, 4, 212, 214, 426]) await compared(BLAKE2F, new Uint8Array(length))
    for (const last of [2, 3, 128, 255])
      await compared(BLAKE2F, concatBytes(encoded(0n, 4), new Uint8Array(208), Uint8Array.of(last)))
  })

  it('and asks for more than 2^31 rounds to be paid for', async () => {
    const data = concatBytes(Uint8Array.of(255, 255, 255, 255), new Uint8Array(209))
    expect(await ourAnswer(BLAKE2F, data, 2n ** 32n - 2n)).to.include({
      error: 'out of gas',
      gas: 2n ** 32n - 2n,
    })
    expect(loadBlake2f().gas(data)).to.equal(2n ** 32n - 1n)
  })

  it('in a module that is the same each time, small, and without what may differ from machine to machine', () => {
    expect(compression()).to.deep.equal(compression())
    expect(compression().length).to.be.below(8_192)
    expect(WebAssembly.Module.imports(new WebAssembly.Module(compression()))).to.deep.equal([])
  })
})

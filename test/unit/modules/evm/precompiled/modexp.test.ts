import { expect } from 'chai'
import fc from 'fast-check'
import { concatBytes } from '../../../../../core/bytes.ts'
import { encoded } from '../../../../kit/evm/points.ts'
import { compared, ourAnswer } from '../../../../kit/evm/precompiled.ts'

const MODEXP = 5

const input = (base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array): Uint8Array =>
  concatBytes(
    ...[base, exponent, modulus].map(({ length }) => encoded(BigInt(length))),
    base,
    exponent,
    modulus,
  )

/** Numbers of all lengths, with bytes of 0 and 255 more often than by chance. */
const operand = (maxLength: number): fc.Arbitrary<Uint8Array> =>
  fc
    .array(fc.oneof(fc.constantFrom(0, 1, 255), fc.nat(255)), { maxLength, size: 'max' })
    .map((bytes) => Uint8Array.from(bytes))

describe('The contract of modular exponentiation equals the library', () => {
  it('for operands of up to 40 bytes, even and odd moduli, and inputs cut short', async () => {
    await fc.assert(
      fc.asyncProperty(
        operand(40),
        operand(40),
        operand(40),
        fc.nat(30),
        async (base, exponent, modulus, cut) => {
          const data = input(base, exponent, modulus)
          await compared(MODEXP, data)
          await compared(MODEXP, data.subarray(0, Math.max(0, data.length - cut)))
          await compared(MODEXP, concatBytes(data, Uint8Array.of(1, 2, 3)))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('for all small numbers', async () => {
    for (let base = 0; base < 6; base++)
      for (let exponent = 0; exponent < 20; exponent++)
        for (let modulus = 0; modulus < 12; modulus++)
          await compared(
            MODEXP,
            input(
              ...([base, exponent, modulus].map((n) => Uint8Array.of(n)) as [
                Uint8Array,
                Uint8Array,
                Uint8Array,
              ]),
            ),
          )
  })

  it('for operands of up to 1,024 bytes', async () => {
    await fc.assert(
      fc.asyncProperty(operand(1_024), operand(8), operand(1_024), async (base, exponent, modulus) => {
        await compared(MODEXP, input(base, exponent, modulus))
      }),
      { numRuns: 15 },
    )
    const full = new Uint8Array(1_024).fill(0xff)
    const even = full.slice()
    even[1_023] = 0xfe
    await compared(MODEXP, input(full, Uint8Array.of(0x80, 1), even))
    await compared(MODEXP, input(Uint8Array.of(3), full, Uint8Array.of(7)))
    await compared(MODEXP, input(full, new Uint8Array(1_024), Uint8Array.of(9)))
  })

  it('for exponents around the 32 bytes whose bits are counted', async () => {
    for (const length of [0, 1, 31, 32, 33, 34, 64])
      for (const at of [0, 1, 31, 32, 33]) {
        const exponent = new Uint8Array(length)
        if (at < length) exponent[at] = 2
        await compared(MODEXP, input(Uint8Array.of(5), exponent, Uint8Array.of(251)))
      }
  })

  it('for each length where the price of words changes', async () => {
    for (const length of [0, 1, 7, 8, 9, 31, 32, 33, 40, 41])
      for (const other of [0, 1, 32, 33, 40]) {
        const [a, b] = [length, other].map((n) => new Uint8Array(n).fill(0xab))
        await compared(MODEXP, input(a!, Uint8Array.of(0xff, 1), b!))
      }
  })

  it('for lengths that are declared, but not there, up to 2^256 - 1, in no time', async () => {
    const lengths = [
      0n,
      1n,
      32n,
      1_023n,
      1_024n,
      1_025n,
      2n ** 31n,
      2n ** 32n,
      2n ** 53n,
      2n ** 64n,
      2n ** 256n - 1n,
    ]
    const answers = new Set<string | undefined>()
    for (const base of lengths)
      for (const exponent of lengths)
        for (const modulus of lengths) {
          const data = concatBytes(
            encoded(base),
            encoded(exponent),
            encoded(modulus),
            Uint8Array.of(3, 5, 7, 1, 200),
          )
          answers.add((await compared(MODEXP, data)).error)
        }
    expect([...answers]).to.have.members([undefined, 'out of gas'])
    for (let length = 0; length < 96; length++)
      await compared(MODEXP, concatBytes(encoded(0n), encoded(1n), encoded(2n)).subarray(0, length))
  })

  it('and answers as many bytes as the modulus has, zeros where it is zero', async () => {
    const answer = await ourAnswer(MODEXP, input(Uint8Array.of(3), Uint8Array.of(2), new Uint8Array(5)))
    expect(answer.bytes).to.equal('00'.repeat(5))
  })
})

import { expect } from 'chai'
import { getBytes, hexlify, toQuantity } from 'ethers'
import fc from 'fast-check'
import { decodeData, encodeData } from '../../daemon/http/jsonrpc/data.ts'
import { Malformed } from '../../daemon/http/jsonrpc/hex.ts'
import { idsAsWritten, isDeeperThan } from '../../daemon/http/jsonrpc/json-text.ts'
import { decodeQuantity, encodeQuantity } from '../../daemon/http/jsonrpc/quantity.ts'

const uint = fc.oneof(fc.bigInt({ min: 0n, max: 20n }), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }))
const anyCase = (text: string, picks: readonly boolean[]): string =>
  [...text].map((c, i) => (picks[i % picks.length] ? c.toUpperCase() : c)).join('')
const picks = fc.array(fc.boolean(), { minLength: 1, maxLength: 20 })

describe('Ethereum’s hexadecimal', () => {
  it('writes quantities as ethers does, and reads them back in any case', () => {
    fc.assert(
      fc.property(uint, picks, (value, upper) => {
        const text = encodeQuantity(value)
        expect(text).to.equal(toQuantity(value))
        expect(decodeQuantity(`0x${anyCase(text.slice(2), upper)}`, 256)).to.equal(value)
      }),
    )
  })

  it('reads of all texts just those quantities that are in their one form', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEFgx -'), maxLength: 20 })
    fc.assert(
      fc.property(fc.constantFrom('0x', '0X', '', '0', 'x'), digits, (prefix, rest) => {
        const text = prefix + rest
        const read = () => decodeQuantity(text, 256)
        if (/^0[xX](0|[1-9a-fA-F][0-9a-fA-F]*)$/.test(text)) expect(read()).to.equal(BigInt(text))
        else expect(read).to.throw(Malformed)
      }),
      { numRuns: 2000 },
    )
  })

  it('refuses quantities of more bits than are taken', () => {
    fc.assert(
      fc.property(uint, fc.integer({ min: 1, max: 256 }), (value, bits) => {
        const read = () => decodeQuantity(encodeQuantity(value), bits)
        if (value < 2n ** BigInt(bits)) expect(read()).to.equal(value)
        else expect(read).to.throw(Malformed, `hex number > ${bits} bits`)
      }),
    )
    expect(() => decodeQuantity(`0x1${'0'.repeat(5_000_000)}`, 256)).to.throw(Malformed)
  })

  it('says of each fault what geth says', () => {
    const said = (value: unknown): string => {
      try {
        return `${decodeQuantity(value, 64)}`
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(said(5)).to.equal('non-string')
    expect(said('')).to.equal('empty hex string')
    expect(said('5')).to.equal('hex string without 0x prefix')
    expect(said('0x')).to.equal('hex string "0x"')
    expect(said('0x01')).to.equal('hex number with leading zero digits')
    expect(said('0xg')).to.equal('invalid hex string')
    expect(said('0x10000000000000000')).to.equal('hex number > 64 bits')
    expect(said('0x0')).to.equal('0')
    expect(() => encodeQuantity(-1n)).to.throw(RangeError)
  })

  it('writes bytes as ethers does, and reads them back in any case', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), picks, (bytes, upper) => {
        const text = encodeData(bytes)
        expect(text).to.equal(hexlify(bytes))
        const other = `0x${anyCase(text.slice(2), upper)}`
        expect(decodeData(other)).to.deep.equal(bytes).and.deep.equal(getBytes(other))
        expect(decodeData(other, bytes.length)).to.deep.equal(bytes)
        expect(() => decodeData(other, bytes.length + 1)).to.throw(
          Malformed,
          `hex string has length ${2 * bytes.length}, want ${2 * bytes.length + 2}`,
        )
        expect(() => decodeData(`${other}0`)).to.throw(Malformed, 'hex string of odd length')
      }),
    )
  })
})

describe('Texts of JSON', () => {
  const depth = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0

  it('are as deep as what they say', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.nat(8), (value, most) => {
        for (const space of [0, 2])
          expect(isDeeperThan(JSON.stringify(value, null, space), most)).to.equal(depth(value) > most)
      }),
      { numRuns: 500 },
    )
  })

  it('tell ids as they are written', () => {
    const number = fc
      .tuple(
        fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
        fc.constantFrom('', '.5', 'e2', '.0', 'E+400'),
      )
      .map(([n, rest]) => `${n}${rest}`)
    const element = fc.tuple(
      number,
      fc.jsonValue({ maxDepth: 3 }),
      fc.boolean(),
      fc.constantFrom('', ' ', '\n\t'),
    )
    const written = fc.array(element, { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(written, fc.boolean(), (elements, isBatch) => {
        const objects = elements.map(([id, other, isFirst, space]) => {
          const [name, more] = [`"id"${space}:${space}${id}`, `"x\\"id":${JSON.stringify({ id: other })}`]
          return `{${space}${isFirst ? `${name},${more}` : `${more},${name}`}${space}}`
        })
        const text = isBatch ? ` [${objects.join(' , ')}]` : ` ${objects[0]}`
        const ids = elements.map(([id]) => id)
        expect(idsAsWritten(text)).to.deep.equal(isBatch ? ids : ids.slice(0, 1))
      }),
      { numRuns: 500 },
    )
    expect(idsAsWritten('[{"id":"1"},[{"id":2}],{"a":{"id":3}},{"\\u0069d":4}]')).to.deep.equal([
      undefined,
      undefined,
      undefined,
      '4',
    ])
  })
})

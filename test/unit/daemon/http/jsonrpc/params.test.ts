import { expect } from 'chai'
import {
  anything,
  data,
  flag,
  listOf,
  objectOf,
  optional,
  type Param,
  parseArguments,
  quantity,
  text,
} from '../../../../../daemon/http/jsonrpc/params.ts'

const read = (param: Param<unknown>, value: unknown): unknown => parseArguments([param], [value])[0]
const refusal = (param: Param<unknown>, value: unknown): string => {
  try {
    return `read as ${read(param, value)}`
  } catch (error) {
    return (error as Error).message
  }
}

describe('Parameters of JSON-RPC', () => {
  const address = data(20)
  const filter = objectOf({
    address: optional(listOf(address, 2)),
    from: quantity(64),
    full: optional(flag),
    name: optional(text),
  })

  it('are read as what they stand for', () => {
    expect(read(quantity(256), '0xff')).to.equal(255n)
    expect(read(data(), '0x00FF')).to.deep.equal(Uint8Array.of(0, 255))
    expect(read(data(), '0x')).to.deep.equal(Uint8Array.of())
    expect(read(anything, { a: 1 })).to.deep.equal({ a: 1 })
    const value = { address: [`0x${'11'.repeat(20)}`], from: '0x1', full: false, later: 1, name: null }
    expect(read(filter, value)).to.deep.equal({
      address: [new Uint8Array(20).fill(0x11)],
      from: 1n,
      full: false,
      name: undefined,
    })
  })

  it('may be left out where they are optional, at the end or as null', () => {
    const params = [quantity(64), optional(text), optional(flag)]
    for (const given of [['0x1'], ['0x1', null], ['0x1', null, null]])
      expect(parseArguments(params, given)).to.deep.equal([1n, undefined, undefined])
    expect(parseArguments(params, ['0x1', null, true])).to.deep.equal([1n, undefined, true])
    for (const none of [undefined, null, []])
      expect(parseArguments([optional(text)], none)).to.deep.equal([undefined])
  })

  it('are refused with the place that is wrong', () => {
    const good = `0x${'11'.repeat(20)}`
    expect(refusal(filter, 5)).to.equal('invalid argument 0: non-object')
    expect(refusal(filter, [])).to.equal('invalid argument 0: non-object')
    expect(refusal(filter, {})).to.equal('invalid argument 0: missing field from')
    expect(refusal(filter, { from: '1' })).to.equal('invalid argument 0: from: hex string without 0x prefix')
    expect(refusal(filter, { from: '0x1', address: good })).to.equal('invalid argument 0: address: non-array')
    expect(refusal(filter, { from: '0x1', address: [good, good, good] })).to.equal(
      'invalid argument 0: address: more than 2 elements',
    )
    expect(refusal(filter, { from: '0x1', address: [good, '0x11'] })).to.equal(
      'invalid argument 0: address: [1]: hex string has length 2, want 40',
    )
    expect(refusal(filter, { from: '0x1', full: 'true' })).to.equal('invalid argument 0: full: non-boolean')
    expect(refusal(filter, { from: '0x1', name: 5 })).to.equal('invalid argument 0: name: non-string')
    expect(refusal(filter, JSON.parse('{"__proto__":{"from":"0x1"}}'))).to.equal(
      'invalid argument 0: missing field from',
    )
    expect(refusal(data(), '0x1')).to.equal('invalid argument 0: hex string of odd length')
  })
})

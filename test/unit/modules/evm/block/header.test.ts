import { expect } from 'chai'
import { concatBytes, fromHex, toHex } from '../../../../../core/bytes.ts'
import { Unreadable } from '../../../../../core/error.ts'
import {
  decodeHeader,
  EMPTY_OMMERS_HASH,
  EMPTY_REQUESTS_HASH,
  EMPTY_WITHDRAWALS_ROOT,
  encodeHeader,
  type Header,
} from '../../../../../modules/evm/block/header.ts'

const of = (length: number, byte: number): Uint8Array => new Uint8Array(length).fill(byte)
const header: Header = {
  parentHash: of(32, 1),
  beneficiary: of(20, 2),
  stateRoot: of(32, 3),
  transactionsRoot: of(32, 4),
  receiptsRoot: of(32, 5),
  logsBloom: of(256, 6),
  number: 1n,
  gasLimit: 30_000_000n,
  gasUsed: 0n,
  timestamp: 1_700_000_000n,
  extraData: of(32, 7),
  prevRandao: of(32, 8),
  baseFeePerGas: 1_000_000_000n,
  parentBeaconBlockRoot: of(32, 9),
}

describe('A header', () => {
  it('has the constants that every client knows', () => {
    expect(toHex(EMPTY_OMMERS_HASH)).to.equal(
      '1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
    )
    expect(toHex(EMPTY_WITHDRAWALS_ROOT)).to.equal(
      '56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
    )
    expect(toHex(EMPTY_REQUESTS_HASH)).to.equal(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    )
  })

  it('is not written with a field of another length, or a number that is too large', () => {
    const wrong: readonly Partial<Header>[] = [
      { parentHash: of(31, 1) },
      { beneficiary: of(21, 1) },
      { logsBloom: of(0, 1) },
      { extraData: of(33, 1) },
      { number: 2n ** 64n },
      { gasUsed: -1n },
      { timestamp: 2n ** 64n },
      { baseFeePerGas: 2n ** 256n },
    ]
    for (const change of wrong)
      expect(() => encodeHeader({ ...header, ...change }), Object.keys(change)[0]).to.throw(RangeError)
    const largest = { ...header, number: 2n ** 64n - 1n, baseFeePerGas: 2n ** 256n - 1n, extraData: of(0, 0) }
    expect(decodeHeader(encodeHeader(largest))).to.deep.equal(largest)
  })

  it('is not read from what is none, or none of this chain', () => {
    const rlp = encodeHeader(header)
    const difficulty = rlp.indexOf(0x80)
    const harder = rlp.slice()
    harder[difficulty] = 1
    const wrong: readonly Uint8Array[] = [
      of(0, 0),
      fromHex('80'),
      fromHex('c0'),
      fromHex('c1c0'),
      rlp.subarray(0, -1),
      rlp.subarray(1),
      concatBytes(rlp, of(1, 0)),
      harder,
      of(300, 0xc1),
    ]
    expect(difficulty).to.be.greaterThan(256)
    for (const bytes of wrong) expect(() => decodeHeader(bytes), toHex(bytes)).to.throw(Unreadable)
  })
})

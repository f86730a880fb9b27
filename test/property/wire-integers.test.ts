import { expect } from 'chai'
import { Timestamp } from 'cosmjs-types/google/protobuf/timestamp'
import { ValidatorUpdate } from 'cosmjs-types/tendermint/abci/types'
import fc from 'fast-check'
import protobuf from 'protobufjs/minimal.js'
import '../../core/wire/registry.ts'
import { toHex } from '../../core/bytes.ts'

/** The varint of `value` as protobufjs writes it. */
function varint(value: bigint): string {
  const unsigned = BigInt.asUintN(64, value)
  const halves = {
    low: Number(unsigned & 0xffff_ffffn) | 0,
    high: Number(unsigned >> 32n) | 0,
    unsigned: true,
  }
  return toHex(
    protobuf.Writer.create()
      .uint64(halves as protobuf.Long)
      .finish(),
  )
}

const edges = [0n, 7n, 31n, 32n, 53n, 56n, 63n].flatMap((n) => [-1n, 0n, 1n].map((d) => 2n ** n + d))

describe('64-bit integers of messages', () => {
  it('are written as other implementations write them, and read back', () => {
    const integer = fc.oneof(
      fc.constantFrom(...edges, -1n, -(2n ** 63n)).filter((n) => n < 2n ** 63n),
      fc.bigInt({ min: 2n ** 31n, max: 2n ** 32n }),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    )
    fc.assert(
      fc.property(integer, (seconds) => {
        const bytes = Timestamp.encode({ seconds, nanos: 0 }).finish()
        expect(toHex(bytes)).to.equal(seconds === 0n ? '' : `08${varint(seconds)}`)
        expect(Timestamp.decode(bytes).seconds).to.equal(seconds)
      }),
      { numRuns: 5_000 },
    )
  })

  it('of a validator with a power of 3,000,000,000 are its power', () => {
    const update = { pubKey: { ed25519: new Uint8Array(32) }, power: 3_000_000_000n }
    expect(ValidatorUpdate.decode(ValidatorUpdate.encode(update).finish()).power).to.equal(update.power)
  })
})

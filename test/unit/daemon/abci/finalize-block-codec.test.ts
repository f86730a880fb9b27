import { expect } from 'chai'
import { ResponseFinalizeBlock } from 'cosmjs-types/tendermint/abci/types'
import fc from 'fast-check'
import { encodeFinalizeBlock } from '../../../../daemon/abci/finalize-block-codec.ts'

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.string({ minLength: 120, maxLength: 2_000, size: 'max' }),
)
const event = fc.record({
  type: text,
  attributes: fc.array(fc.record({ key: text, value: text, index: fc.boolean() }), { maxLength: 4 }),
})
const gas = fc.oneof(fc.bigInt(0n, 2n ** 20n), fc.bigInt(0n, 2n ** 63n - 1n))
const result = fc.record({
  code: fc.nat(),
  data: fc.uint8Array({ maxLength: 300 }),
  log: text,
  info: text,
  gasWanted: gas,
  gasUsed: gas,
  events: fc.array(event, { maxLength: 4 }),
  codespace: text,
})

describe('a FinalizeBlock answer', () => {
  it('is encoded to the bytes of the generated codec', function () {
    this.timeout(20_000)
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 3 }),
        fc.array(result, { maxLength: 5 }),
        fc.array(
          fc.record({
            pubKey: fc.record({ ed25519: fc.uint8Array({ minLength: 32, maxLength: 32 }) }),
            power: fc.bigInt(0n, 2n ** 50n),
          }),
          { maxLength: 3 },
        ),
        fc.uint8Array({ maxLength: 32 }),
        (events, txResults, validatorUpdates, appHash) => {
          const response = ResponseFinalizeBlock.fromPartial({ events, txResults, validatorUpdates, appHash })
          expect(Buffer.from(encodeFinalizeBlock(response)).toString('hex')).to.equal(
            Buffer.from(ResponseFinalizeBlock.encode(response).finish()).toString('hex'),
          )
        },
      ),
      { numRuns: 100, seed: 3 },
    )
  })
})

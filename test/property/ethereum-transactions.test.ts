import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createTx, createTxFromRLP, type TypedTxData } from '@ethereumjs/tx'
import { createAddressFromPrivateKey, type PrefixedHexString } from '@ethereumjs/util'
import { expect } from 'chai'
import fc from 'fast-check'
import { fromHex, toHex } from '../../core/bytes.ts'
import { Unreadable } from '../../core/error.ts'
import { decodeEthereumTx, isEthereumTx } from '../../modules/evm/transaction/decode.ts'

const CHAIN = 7373n
const common = createCustomCommon({ chainId: Number(CHAIN) }, Mainnet, { hardfork: Hardfork.Prague })
const KEY = fromHex('11'.repeat(32))
const hex = (bytes: Uint8Array): PrefixedHexString => `0x${toHex(bytes)}`
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const amount = fc.bigInt({ min: 0n, max: 10n ** 24n })

const accessList = fc.array(
  fc.record({ address: bytes(20).map(hex), storageKeys: fc.array(bytes(32).map(hex), { maxLength: 3 }) }),
  { maxLength: 3 },
)
const fields = fc.record({
  nonce: fc.bigInt({ min: 0n, max: 2n ** 64n - 2n }),
  gasLimit: fc.bigInt({ min: 21_000n, max: 2n ** 24n }),
  value: amount,
  data: fc.uint8Array({ maxLength: 200 }),
})
const recipient = fc.option(bytes(20).map(hex), { nil: undefined })

const transactions: fc.Arbitrary<TypedTxData> = fc
  .oneof(
    fc.record({ type: fc.constant(0), gasPrice: amount, to: recipient, fields }),
    fc.record({ type: fc.constant(1), gasPrice: amount, to: recipient, accessList, fields }),
    fc.record({
      type: fc.constant(2),
      maxFeePerGas: amount.map((n) => n + 10n ** 24n),
      maxPriorityFeePerGas: amount,
      to: recipient,
      accessList,
      fields,
    }),
  )
  .map(({ fields: shared, ...rest }) => ({ ...shared, ...rest }) as TypedTxData)

/** Signed, as bytes: what fails is told in a line. */
const signed = transactions.map((data) => createTx(data, { common }).sign(KEY).serialize())

describe('a transaction of Ethereum’s', () => {
  it('is read as the library reads it, sender and hash included', () => {
    fc.assert(
      fc.property(signed, (serialized) => {
        const theirs = createTxFromRLP(serialized, { common })
        expect(isEthereumTx(serialized)).to.equal(true)
        const ours = decodeEthereumTx(serialized, CHAIN)
        expect(toHex(ours.sender)).to.equal(toHex(createAddressFromPrivateKey(KEY).bytes))
        expect(toHex(ours.hash)).to.equal(toHex(theirs.hash()))
        const { nonce, gasLimit, value } = theirs
        expect(ours).to.include({
          type: theirs.type,
          nonce,
          gasLimit,
          value,
          v: theirs.v,
          r: theirs.r,
          s: theirs.s,
        })
        expect(toHex(ours.data)).to.equal(toHex(theirs.data))
        expect(ours.to && toHex(ours.to)).to.equal(theirs.to && toHex(theirs.to.bytes))
      }),
      { numRuns: 300 },
    )
  })

  it('has one encoding: what is taken after a byte was changed is another transaction, and one that the library takes', () => {
    fc.assert(
      fc.property(signed, fc.nat(), fc.integer({ min: 1, max: 255 }), (serialized, place, flip) => {
        const { nonce } = createTxFromRLP(serialized, { common })
        const mutant = serialized.slice()
        mutant[place % mutant.length]! ^= flip
        let taken: ReturnType<typeof decodeEthereumTx>
        try {
          taken = decodeEthereumTx(mutant, CHAIN)
        } catch (error) {
          expect(error).to.be.instanceOf(Unreadable)
          return
        }
        const again = createTxFromRLP(mutant, { common })
        expect(toHex(again.serialize())).to.equal(toHex(mutant))
        expect(toHex(again.getSenderAddress().bytes)).to.equal(toHex(taken.sender))
        expect(
          toHex(taken.sender) === toHex(createAddressFromPrivateKey(KEY).bytes) && taken.nonce === nonce,
        ).to.equal(false)
      }),
      { numRuns: 2000 },
    )
  })
})

import { createBlockHeader } from '@ethereumjs/block'
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { createMPT } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import { Bloom, encodeReceipt as encodeReceiptOfVm } from '@ethereumjs/vm'
import { expect } from 'chai'
import fc from 'fast-check'
import { toHex } from '../../core/bytes.ts'
import { bloomOf, type Log, unionOfBlooms } from '../../modules/evm/block/bloom.ts'
import {
  decodeHeader,
  EMPTY_REQUESTS_HASH,
  EMPTY_WITHDRAWALS_ROOT,
  encodeHeader,
  type Header,
  hashOfHeader,
} from '../../modules/evm/block/header.ts'
import { orderedTrieRoot } from '../../modules/evm/block/ordered-trie.ts'
import { encodeReceipt, type Receipt, type TransactionType } from '../../modules/evm/block/receipt.ts'
import { encodeBytes, encodeList, encodeUint } from '../../modules/evm/block/rlp.ts'

const bytes = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength: length, maxLength: length })
const uint = (bits: number): fc.Arbitrary<bigint> =>
  fc.oneof(fc.bigInt({ min: 0n, max: 300n }), fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }))

const log: fc.Arbitrary<Log> = fc.record({
  address: bytes(20),
  topics: fc.array(bytes(32), { maxLength: 4 }),
  data: fc.uint8Array({ maxLength: 100 }),
})

const header: fc.Arbitrary<Header> = fc.record({
  parentHash: bytes(32),
  beneficiary: bytes(20),
  stateRoot: bytes(32),
  transactionsRoot: bytes(32),
  receiptsRoot: bytes(32),
  logsBloom: bytes(256),
  number: uint(64),
  gasLimit: uint(63),
  gasUsed: fc.constant(0n),
  timestamp: uint(64),
  extraData: fc.uint8Array({ maxLength: 32 }),
  prevRandao: bytes(32),
  baseFeePerGas: uint(256),
  parentBeaconBlockRoot: bytes(32),
})

describe('What Ethereum blocks are made of', () => {
  it('is RLP as @ethereumjs/rlp writes it', () => {
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.uint8Array({ maxLength: 70 }),
        uint(300),
        fc.uint8Array({ minLength: 250, maxLength: 260 }),
        fc.array(tie('tree'), { maxLength: 8 }),
      ),
    }))
    const encode = (item: unknown): Uint8Array =>
      item instanceof Uint8Array
        ? encodeBytes(item)
        : typeof item === 'bigint'
          ? encodeUint(item)
          : encodeList((item as unknown[]).map(encode))
    fc.assert(
      fc.property(tree, (item) => {
        expect(toHex(encode(item))).to.equal(toHex(RLP.encode(item as Uint8Array)))
      }),
      { numRuns: 500 },
    )
    for (const length of [55, 56, 255, 256, 65_535, 65_536, 2 ** 24 - 1, 2 ** 24])
      expect(encodeBytes(new Uint8Array(length))).to.deep.equal(RLP.encode(new Uint8Array(length)))
    expect(() => encodeUint(-1n)).to.throw(RangeError)
  })

  it('has roots as @ethereumjs/mpt comes to, for any number of values', async () => {
    const value = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 3 }),
      fc.uint8Array({ minLength: 25, maxLength: 60 }),
      fc.uint8Array({ minLength: 500, maxLength: 600 }),
    )
    const values = fc.array(value, { minLength: 400, maxLength: 400 })
    await fc.assert(
      fc.asyncProperty(values, async (all) => {
        const trie = await createMPT()
        const edges = new Set([0, 1, 2, 15, 16, 17, 126, 127, 128, 129, 255, 256, 257, 271, 400])
        for (let count = 0; count <= all.length; count++) {
          if (edges.has(count))
            expect(toHex(orderedTrieRoot(all.slice(0, count))), `${count} values`).to.equal(
              toHex(trie.root()),
            )
          if (count < all.length) await trie.put(RLP.encode(count), all[count]!)
        }
      }),
      { numRuns: 8 },
    )
  }).timeout(60_000)

  it('has blooms and receipts as @ethereumjs/vm writes them', () => {
    const receipt = fc.record({
      type: fc.constantFrom<TransactionType>(0, 1, 2, 4),
      succeeded: fc.boolean(),
      // Which no transaction leaves at 0; of that @ethereumjs/vm makes the byte 0x00, which RLP has for no number.
      cumulativeGasUsed: uint(64).map((gas) => gas + 1n),
      logs: fc.array(log, { maxLength: 6 }),
    })
    fc.assert(
      fc.property(fc.array(receipt, { maxLength: 4 }), (receipts) => {
        const union = new Bloom()
        const ours: Receipt[] = receipts.map((r) => ({ ...r, logsBloom: bloomOf(r.logs) }))
        for (const { type, succeeded, cumulativeGasUsed, logs, logsBloom } of ours) {
          const bloom = new Bloom()
          for (const { address, topics } of logs) for (const entry of [address, ...topics]) bloom.add(entry)
          expect(toHex(logsBloom)).to.equal(toHex(bloom.bitvector))
          union.or(bloom)
          const theirs = {
            status: succeeded ? (1 as const) : (0 as const),
            cumulativeBlockGasUsed: cumulativeGasUsed,
            bitvector: bloom.bitvector,
            logs: logs.map((l): [Uint8Array, Uint8Array[], Uint8Array] => [l.address, [...l.topics], l.data]),
          }
          const encoded = encodeReceipt({ type, succeeded, cumulativeGasUsed, logs, logsBloom })
          expect(toHex(encoded)).to.equal(toHex(encodeReceiptOfVm(theirs, type)))
        }
        expect(toHex(unionOfBlooms(ours.map((r) => r.logsBloom)))).to.equal(toHex(union.bitvector))
      }),
    )
  })

  it('is receipts of more logs than a stack holds arguments', () => {
    const logs = Array.from({ length: 200_000 }, () => ({
      address: new Uint8Array(20),
      topics: [],
      data: new Uint8Array(0),
    }))
    const encoded = encodeReceipt({
      type: 0,
      succeeded: true,
      cumulativeGasUsed: 1n,
      logsBloom: bloomOf([]),
      logs,
    })
    const [, , , decoded] = RLP.decode(encoded) as Uint8Array[]
    expect(decoded).to.have.length(logs.length)
  }).timeout(20_000)

  it('has headers as @ethereumjs/block writes them, which are read back', () => {
    const common = new Common({ chain: Mainnet, hardfork: Hardfork.Osaka })
    fc.assert(
      fc.property(header, (ours) => {
        const theirs = createBlockHeader(
          {
            parentHash: ours.parentHash,
            coinbase: ours.beneficiary,
            stateRoot: ours.stateRoot,
            transactionsTrie: ours.transactionsRoot,
            receiptTrie: ours.receiptsRoot,
            logsBloom: ours.logsBloom,
            number: ours.number,
            gasLimit: ours.gasLimit,
            gasUsed: ours.gasUsed,
            timestamp: ours.timestamp,
            extraData: ours.extraData,
            mixHash: ours.prevRandao,
            baseFeePerGas: ours.baseFeePerGas,
            withdrawalsRoot: EMPTY_WITHDRAWALS_ROOT,
            parentBeaconBlockRoot: ours.parentBeaconBlockRoot,
            requestsHash: EMPTY_REQUESTS_HASH,
          },
          { common, skipConsensusFormatValidation: true },
        )
        const rlp = encodeHeader(ours)
        expect(toHex(rlp)).to.equal(toHex(theirs.serialize()))
        expect(toHex(hashOfHeader(rlp))).to.equal(toHex(theirs.hash()))
        expect(decodeHeader(rlp)).to.deep.equal(ours)
      }),
    )
  })

  it('is no header that has been changed, unless it is another one', () => {
    fc.assert(
      fc.property(header, fc.nat(), fc.integer({ min: 1, max: 255 }), (ours, at, change) => {
        const rlp = encodeHeader(ours)
        rlp[at % rlp.length]! ^= change
        let read: Header | undefined
        try {
          read = decodeHeader(rlp)
        } catch (error) {
          expect(error).to.have.property('name', 'Unreadable')
        }
        if (read !== undefined) expect(toHex(encodeHeader(read))).to.equal(toHex(rlp))
      }),
      { numRuns: 500 },
    )
  })
})

import { type Block, createBlock } from '@ethereumjs/block'
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { createTx, type TypedTxData } from '@ethereumjs/tx'
import { Account, createAddressFromPrivateKey, createContractAddress } from '@ethereumjs/util'
import { buildBlock, createVM, type TxReceipt } from '@ethereumjs/vm'
import { expect } from 'chai'
import { fromHex, toHex } from '../../../../../core/bytes.ts'
import { bloomOf, type Log, unionOfBlooms } from '../../../../../modules/evm/block/bloom.ts'
import {
  decodeHeader,
  encodeHeader,
  type Header,
  hashOfHeader,
} from '../../../../../modules/evm/block/header.ts'
import { orderedTrieRoot } from '../../../../../modules/evm/block/ordered-trie.ts'
import {
  encodeReceipt,
  type Receipt,
  type TransactionType,
} from '../../../../../modules/evm/block/receipt.ts'

const hex = (byte: number): string => byte.toString(16).padStart(2, '0')

/** The call whose input begins with the byte. */
const call = (first: number): string => `0x${hex(first)}${'ab'.repeat(31)}`

/** Code that logs 32 bytes of input with as many topics, 0 to 4, as the first byte says, and reverts where that is 5. */
function logger(): string {
  const counts = [0, 1, 2, 3, 4]
  let code = '60206000600037' // CALLDATACOPY(0, 0, 32)
  code += '60003560001a' // BYTE(0, CALLDATALOAD(0))
  for (const n of counts) code += `8060${hex(n)}1460${hex(64 + n * 16)}57`
  code += '60006000fd'
  for (const n of counts)
    code = `${code.padEnd((64 + n * 16) * 2, '0')}5b${'33'.repeat(n)}60206000${hex(0xa0 + n)}00`
  return code
}

/** Code that leaves `code` behind. */
function creation(code: string): string {
  const length = hex(code.length / 2)
  return `0x60${length}600c60003960${length}6000f3${code}`
}

interface Built {
  readonly block: Block
  readonly receipts: readonly TxReceipt[]
}

/** A block of 150 transactions of all kinds, which @ethereumjs/vm executes and seals. */
async function build(): Promise<Built> {
  const common = new Common({ chain: Mainnet, hardfork: Hardfork.Osaka })
  const vm = await createVM({ common })
  const key = new Uint8Array(32).fill(7)
  const sender = createAddressFromPrivateKey(key)
  await vm.stateManager.putAccount(sender, new Account(0n, 10n ** 21n))
  const parentBlock = createBlock(
    { header: { number: 22_999_999n, gasLimit: 30_000_000n, baseFeePerGas: 10n ** 9n, timestamp: 1000n } },
    { common },
  )
  const builder = await buildBlock(vm, {
    parentBlock,
    headerData: {
      timestamp: 1012n,
      gasLimit: 30_000_000n,
      coinbase: sender,
      extraData: new Uint8Array(32).fill(5),
      mixHash: new Uint8Array(32).fill(9),
      parentBeaconBlockRoot: new Uint8Array(32),
    },
    blockOpts: { putBlockIntoBlockchain: false },
  })
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n }
  const to = createContractAddress(sender, 0n)
  const word = `0x${'01'.repeat(32)}`
  const delegation = {
    chainId: '0x1',
    address: to.toString(),
    nonce: '0x0',
    yParity: '0x0',
    r: word,
    s: word,
  }
  const kinds: readonly object[] = [
    { type: 0, gasPrice: 10n ** 10n },
    { type: 1, gasPrice: 10n ** 10n, accessList: [{ address: to.toString(), storageKeys: [word] }] },
    { type: 2, ...fees },
    { type: 4, ...fees, authorizationList: [delegation] },
  ]
  for (let nonce = 0; nonce < 150; nonce++) {
    const what =
      nonce === 0
        ? { type: 2, ...fees, data: creation(logger()) }
        : { ...kinds[nonce % 4], to, data: call(nonce % 6) }
    const data = { ...what, nonce: BigInt(nonce), gasLimit: 150_000n } as TypedTxData
    await builder.addTransaction(createTx(data, { common }).sign(key))
  }
  const { block } = await builder.build()
  return { block, receipts: builder.transactionReceipts }
}

const logsOf = ({ logs }: TxReceipt): Log[] =>
  logs.map(([address, topics, data]) => ({ address, topics, data }))

describe('A block that another implementation has made', () => {
  let block: Block
  let receipts: readonly Receipt[]

  before(async () => {
    const built = await build()
    block = built.block
    receipts = built.receipts.map((receipt, i) => {
      const logs = logsOf(receipt)
      return {
        type: block.transactions[i]!.type as TransactionType,
        succeeded: 'status' in receipt && receipt.status === 1,
        cumulativeGasUsed: receipt.cumulativeBlockGasUsed,
        logsBloom: bloomOf(logs),
        logs,
      }
    })
  }).timeout(60_000)

  it('holds what it is to show: all types, logs of 0 to 4 topics, and transactions that failed', () => {
    expect(new Set(receipts.map(({ type }) => type))).to.deep.equal(new Set([0, 1, 2, 4]))
    const topics = receipts.flatMap(({ logs }) => logs.map((log) => log.topics.length))
    expect(new Set(topics)).to.deep.equal(new Set([0, 1, 2, 3, 4]))
    expect(receipts.filter(({ succeeded }) => !succeeded)).to.have.length(25)
  })

  it('has the transactions root, the receipts root and the bloom that we come to', () => {
    const { transactionsTrie, receiptTrie, logsBloom } = block.header
    expect(toHex(orderedTrieRoot(block.transactions.map((tx) => tx.serialize())))).to.equal(
      toHex(transactionsTrie),
    )
    expect(toHex(orderedTrieRoot(receipts.map(encodeReceipt)))).to.equal(toHex(receiptTrie))
    expect(toHex(unionOfBlooms(receipts.map((r) => r.logsBloom)))).to.equal(toHex(logsBloom))
  })

  it('has the header and the hash that we write, and is read back from it', () => {
    const { header } = block
    const ours: Header = {
      parentHash: header.parentHash,
      beneficiary: header.coinbase.bytes,
      stateRoot: header.stateRoot,
      transactionsRoot: header.transactionsTrie,
      receiptsRoot: header.receiptTrie,
      logsBloom: header.logsBloom,
      number: 23_000_000n,
      gasLimit: 30_000_000n,
      gasUsed: receipts.at(-1)!.cumulativeGasUsed,
      timestamp: 1012n,
      extraData: fromHex('05'.repeat(32)),
      prevRandao: fromHex('09'.repeat(32)),
      baseFeePerGas: header.baseFeePerGas!,
      parentBeaconBlockRoot: new Uint8Array(32),
    }
    const rlp = encodeHeader(ours)
    expect(toHex(rlp)).to.equal(toHex(header.serialize()))
    expect(toHex(hashOfHeader(rlp))).to.equal(toHex(block.hash()))
    expect(decodeHeader(rlp)).to.deep.equal(ours)
  })
})

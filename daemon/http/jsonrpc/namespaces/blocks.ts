import type { Json } from '../../../../core/wire/json.ts'
import type { EthBlock, EthBlocks } from '../../../index/eth-blocks.ts'
import { type BlockRef, blockNumber, blockRef, unknownBlock } from '../block-ref.ts'
import { type Methods, method } from '../method.ts'
import { data, flag, optional, quantity } from '../params.ts'
import { encodeQuantity } from '../quantity.ts'
import { blockJson, minedTxJson, receiptJson } from '../shapes.ts'

/** The block that is meant, where it is kept. The next block is not made before it is decided: `pending` is the last one. */
export function findBlock(blocks: EthBlocks, ref: BlockRef): EthBlock | undefined {
  if (typeof ref === 'bigint') return blocks.block(ref)
  if (ref === 'latest' || ref === 'pending') return blocks.block(blocks.latest)
  if (ref === 'earliest') return blocks.block(blocks.earliest)
  const number = blocks.numberOf(ref.hash)
  return number === undefined ? undefined : blocks.block(number)
}

const hash = data(32)

/** Blocks, their transactions and receipts. */
export function blockMethods(blocks: EthBlocks): Methods {
  const block = (ref: BlockRef, isFull: boolean): Json => {
    const found = findBlock(blocks, ref)
    return found === undefined
      ? null
      : blockJson(found, blocks.transactionsOf(found.header.number, found), isFull)
  }
  const count = (ref: BlockRef): Json => {
    const found = findBlock(blocks, ref)
    return found === undefined ? null : encodeQuantity(found.txCount)
  }
  const transaction = (ref: BlockRef, index: bigint): Json => {
    const found = findBlock(blocks, ref)
    const tx =
      found && index < found.txCount ? blocks.transaction(found.header.number, Number(index)) : undefined
    return found === undefined || tx === undefined ? null : minedTxJson(found, tx)
  }
  const byHash = (txHash: Uint8Array) => {
    const place = blocks.placeOf(txHash)
    const found = place && blocks.block(place.number)
    const tx = place && found && blocks.transaction(place.number, place.index)
    return found && tx ? { found, tx } : undefined
  }
  const ommers = (ref: BlockRef): Json => (findBlock(blocks, ref) === undefined ? null : '0x0')
  return {
    eth_blockNumber: method([], () => encodeQuantity(blocks.latest)),
    eth_getBlockByNumber: method(
      [blockNumber, optional(flag)],
      (_, ref, isFull) => block(ref, isFull ?? false),
      'near',
    ),
    eth_getBlockByHash: method(
      [hash, optional(flag)],
      (_, of, isFull) => block({ hash: of }, isFull ?? false),
      'near',
    ),
    eth_getBlockTransactionCountByNumber: method([blockNumber], (_, ref) => count(ref)),
    eth_getBlockTransactionCountByHash: method([hash], (_, of) => count({ hash: of })),
    eth_getTransactionByBlockNumberAndIndex: method([blockNumber, quantity(64)], (_, ref, i) =>
      transaction(ref, i),
    ),
    eth_getTransactionByBlockHashAndIndex: method([hash, quantity(64)], (_, of, i) =>
      transaction({ hash: of }, i),
    ),
    eth_getTransactionByHash: method([hash], (_, of) => {
      const found = byHash(of)
      return found === undefined ? null : minedTxJson(found.found, found.tx)
    }),
    eth_getTransactionReceipt: method([hash], (_, of) => {
      const found = byHash(of)
      return found === undefined ? null : receiptJson(found.found, found.tx)
    }),
    eth_getBlockReceipts: method(
      [blockRef],
      (_, ref) => {
        const found = findBlock(blocks, ref)
        if (found === undefined) return null
        return blocks.transactionsOf(found.header.number, found).map((tx) => receiptJson(found, tx))
      },
      'near',
    ),
    eth_getUncleCountByBlockNumber: method([blockNumber], (_, ref) => ommers(ref)),
    eth_getUncleCountByBlockHash: method([hash], (_, of) => ommers({ hash: of })),
    eth_getUncleByBlockNumberAndIndex: method([blockNumber, quantity(64)], () => null),
    eth_getUncleByBlockHashAndIndex: method([hash, quantity(64)], () => null),
  }
}

/** The block that is meant. Throws where it is not kept. */
export function requireBlock(blocks: EthBlocks, ref: BlockRef): EthBlock {
  const found = findBlock(blocks, ref)
  if (found === undefined) throw unknownBlock()
  return found
}

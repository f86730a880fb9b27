import type { Json } from '../../../core/wire/json.ts'
import { type EthereumTx, EVM_CHAIN_ID } from '../../../modules/evm/api.ts'
import type { EthBlock, EthBlockTx } from '../../index/eth-blocks.ts'
import { type FoundLog, logsOf } from '../../index/eth-logs.ts'
import { encodeData } from './data.ts'
import { encodeQuantity } from './quantity.ts'

type JsonObject = { [field: string]: Json }

const EMPTY_OMMERS_HASH = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
/** sha256 of nothing (EIP-7685). */
const EMPTY_REQUESTS_HASH = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** A header, as newHeads and blocks have it. */
export const headerJson = ({ header, hash }: Pick<EthBlock, 'header' | 'hash'>): JsonObject => ({
  number: encodeQuantity(header.number),
  hash: encodeData(hash),
  parentHash: encodeData(header.parentHash),
  nonce: '0x0000000000000000',
  mixHash: encodeData(header.prevRandao),
  sha3Uncles: EMPTY_OMMERS_HASH,
  logsBloom: encodeData(header.logsBloom),
  stateRoot: encodeData(header.stateRoot),
  transactionsRoot: encodeData(header.transactionsRoot),
  receiptsRoot: encodeData(header.receiptsRoot),
  miner: encodeData(header.beneficiary),
  difficulty: '0x0',
  extraData: encodeData(header.extraData),
  gasLimit: encodeQuantity(header.gasLimit),
  gasUsed: encodeQuantity(header.gasUsed),
  timestamp: encodeQuantity(header.timestamp),
  baseFeePerGas: encodeQuantity(header.baseFeePerGas),
  withdrawalsRoot: EMPTY_ROOT,
  blobGasUsed: '0x0',
  excessBlobGas: '0x0',
  parentBeaconBlockRoot: encodeData(header.parentBeaconBlockRoot),
  requestsHash: EMPTY_REQUESTS_HASH,
})

/** A block with its transactions, in full or by their hashes. */
export function blockJson(block: EthBlock, txs: readonly EthBlockTx[], isFull: boolean): JsonObject {
  const bytes = txs.reduce((sum, { tx }) => sum + tx.length + 3, block.headerRlp.length + 8)
  return {
    ...headerJson(block),
    totalDifficulty: '0x0',
    size: encodeQuantity(bytes),
    uncles: [],
    withdrawals: [],
    transactions: txs.map((tx) => (isFull ? minedTxJson(block, tx) : encodeData(tx.decoded.hash))),
  }
}

/** A transaction that stands in a block. */
export const minedTxJson = (block: EthBlock, { decoded, index, gasPrice }: EthBlockTx): JsonObject => ({
  ...txJson(decoded, gasPrice),
  blockHash: encodeData(block.hash),
  blockNumber: encodeQuantity(block.header.number),
  transactionIndex: encodeQuantity(index),
})

function txJson(tx: EthereumTx, gasPrice: bigint): JsonObject {
  const { type, accessList, authorizations } = tx
  return {
    type: encodeQuantity(type),
    hash: encodeData(tx.hash),
    from: encodeData(tx.sender),
    to: tx.to === undefined ? null : encodeData(tx.to),
    nonce: encodeQuantity(tx.nonce),
    gas: encodeQuantity(tx.gasLimit),
    gasPrice: encodeQuantity(gasPrice),
    value: encodeQuantity(tx.value),
    input: encodeData(tx.data),
    chainId: encodeQuantity(EVM_CHAIN_ID),
    v: encodeQuantity(tx.v),
    r: encodeQuantity(tx.r),
    s: encodeQuantity(tx.s),
    ...(type !== 0 && {
      yParity: encodeQuantity(tx.v),
      accessList: accessList.map(({ address, slots }) => ({
        address: encodeData(address),
        storageKeys: slots.map(encodeData),
      })),
    }),
    ...(type >= 2 && {
      maxFeePerGas: encodeQuantity(tx.maxFeePerGas),
      maxPriorityFeePerGas: encodeQuantity(tx.maxPriorityFeePerGas),
    }),
    ...(type === 4 && {
      authorizationList: authorizations.map(({ chainId, address, nonce, yParity, r, s }) => ({
        chainId: encodeQuantity(chainId),
        address: encodeData(address),
        nonce: encodeQuantity(nonce),
        yParity: encodeQuantity(yParity),
        r: encodeQuantity(r),
        s: encodeQuantity(s),
      })),
    }),
  }
}

/** What a transaction came to. */
export function receiptJson(block: EthBlock, tx: EthBlockTx): JsonObject {
  const { decoded, outcome, index, contract } = tx
  return {
    type: encodeQuantity(decoded.type),
    status: outcome.succeeded ? '0x1' : '0x0',
    cumulativeGasUsed: encodeQuantity(outcome.cumulativeGasUsed),
    logsBloom: encodeData(outcome.logsBloom),
    logs: logsOf(block, tx).map(logJson),
    transactionHash: encodeData(decoded.hash),
    transactionIndex: encodeQuantity(index),
    contractAddress: contract === undefined ? null : encodeData(contract),
    gasUsed: encodeQuantity(tx.gasUsed),
    effectiveGasPrice: encodeQuantity(tx.gasPrice),
    blockHash: encodeData(block.hash),
    blockNumber: encodeQuantity(block.header.number),
    from: encodeData(decoded.sender),
    to: decoded.to === undefined ? null : encodeData(decoded.to),
  }
}

/** A log, with its place. */
export const logJson = (log: FoundLog): JsonObject => ({
  address: encodeData(log.address),
  topics: log.topics.map(encodeData),
  data: encodeData(log.data),
  blockNumber: encodeQuantity(log.blockNumber),
  blockHash: encodeData(log.blockHash),
  blockTimestamp: encodeQuantity(log.blockTimestamp),
  transactionHash: encodeData(log.transactionHash),
  transactionIndex: encodeQuantity(log.transactionIndex),
  logIndex: encodeQuantity(log.logIndex),
  removed: false,
})

import { readUint64BigEndian } from '../../core/bytes.ts'
import {
  blockHashKey,
  blockKey,
  DERIVED_STORE,
  decodeEthereumTx,
  decodeHeader,
  decodeReceipt,
  decodeTxRecord,
  type EthereumTx,
  EVM_CHAIN_ID,
  type Header,
  hashOfHeader,
  type TxRecord,
  txHashKey,
  txKey,
} from '../../modules/evm/api.ts'
import { derivedKey } from '../app/derived.ts'

/** Where the node keeps what its blocks left (`Store`). */
export interface DerivedSource {
  readonly height: number
  /** Of the chain's first block. */
  readonly initialHeight: bigint
  readonly local: { get(key: Uint8Array): Uint8Array | undefined }
}

/** A block as Ethereum has it. */
export interface EthBlock {
  readonly header: Header
  readonly headerRlp: Uint8Array
  readonly hash: Uint8Array
  readonly txCount: number
}

/** A transaction of a block, with what it came to. */
export interface EthBlockTx extends TxRecord {
  readonly index: number
  readonly decoded: EthereumTx
  readonly outcome: ReturnType<typeof decodeReceipt>
}

/**
 * The blocks, transactions, receipts and logs that the node keeps. They are written with the commit that they belong to, so
 * that all of it is there as soon as a height is.
 */
export class EthBlocks {
  readonly #source: DerivedSource

  constructor(source: DerivedSource) {
    this.#source = source
  }

  /** The last committed one; nothing before the first. */
  get latest(): bigint {
    return BigInt(this.#source.height)
  }

  /** The first one that is kept. */
  get earliest(): bigint {
    return this.#source.initialHeight > 1n ? this.#source.initialHeight - 1n : 0n
  }

  #get(key: Uint8Array): Uint8Array | undefined {
    return this.#source.local.get(derivedKey(DERIVED_STORE, key))
  }

  /** Nothing where the height is not reached, or no longer kept. */
  block(number: bigint): EthBlock | undefined {
    if (number > this.latest) return undefined
    const bytes = this.#get(blockKey(number))
    if (bytes === undefined) return undefined
    const headerRlp = bytes.subarray(8)
    const txCount = Number(readUint64BigEndian(bytes))
    return { header: decodeHeader(headerRlp), headerRlp, hash: hashOfHeader(headerRlp), txCount }
  }

  /** The number of the block of a hash, Ethereum's or CometBFT's. */
  numberOf(hash: Uint8Array): bigint | undefined {
    const bytes = this.#get(blockHashKey(hash))
    return bytes && readUint64BigEndian(bytes)
  }

  transaction(number: bigint, index: number): EthBlockTx | undefined {
    const bytes = this.#get(txKey(number, BigInt(index)))
    if (bytes === undefined) return undefined
    const record = decodeTxRecord(bytes)
    return {
      ...record,
      index,
      decoded: decodeEthereumTx(record.tx, EVM_CHAIN_ID, record.sender),
      outcome: decodeReceipt(record.receipt),
    }
  }

  /** Block and place of the transaction of a hash. */
  placeOf(hash: Uint8Array): { readonly number: bigint; readonly index: number } | undefined {
    const bytes = this.#get(txHashKey(hash))
    if (bytes === undefined) return undefined
    return { number: readUint64BigEndian(bytes), index: Number(readUint64BigEndian(bytes, 8)) }
  }

  /** What the transactions paid and used, without what else is known of them. */
  recordsOf(number: bigint, { txCount }: Pick<EthBlock, 'txCount'>): TxRecord[] {
    return Array.from({ length: txCount }, (_, i) => decodeTxRecord(this.#get(txKey(number, BigInt(i)))!))
  }

  /** In their order. */
  transactionsOf(number: bigint, { txCount }: Pick<EthBlock, 'txCount'>): EthBlockTx[] {
    return Array.from({ length: txCount }, (_, i) => this.transaction(number, i)!)
  }
}

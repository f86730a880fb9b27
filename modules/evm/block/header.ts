import { RLP } from '@ethereumjs/rlp'
import { equalBytes, NO_BYTES, sha256, toHex } from '../../../core/bytes.ts'
import { keccak256 } from '../../../core/crypto/keccak.ts'
import { rethrowExhaustion, Unreadable } from '../../../core/error.ts'
import { BLOOM_BYTES } from './bloom.ts'
import { EMPTY_TRIE_ROOT } from './ordered-trie.ts'
import { encodeBytes, encodeList, encodeUint } from './rlp.ts'

/** The hash of an empty list of ommers. */
export const EMPTY_OMMERS_HASH = keccak256(encodeList([]))
/** Blocks have no withdrawals. */
export const EMPTY_WITHDRAWALS_ROOT = EMPTY_TRIE_ROOT
/** Of no requests to the consensus layer (EIP-7685). */
export const EMPTY_REQUESTS_HASH = sha256(NO_BYTES)
/** The field that proofs of work had. */
export const ZERO_NONCE = new Uint8Array(8)

export const MAX_EXTRA_DATA_BYTES = 32

/** A block's header as of the hard fork Osaka, without what is the same in every block of this chain. */
export interface Header {
  /** 32 bytes each, but for the beneficiary's 20, the bloom's 256, and up to 32 of `extraData`. */
  readonly parentHash: Uint8Array
  readonly beneficiary: Uint8Array
  readonly stateRoot: Uint8Array
  readonly transactionsRoot: Uint8Array
  readonly receiptsRoot: Uint8Array
  readonly logsBloom: Uint8Array
  /** 64 bits at most, as are gas and timestamp. */
  readonly number: bigint
  readonly gasLimit: bigint
  readonly gasUsed: bigint
  /** Seconds since 1970. */
  readonly timestamp: bigint
  readonly extraData: Uint8Array
  /** In the field `mixHash` (EIP-4399). */
  readonly prevRandao: Uint8Array
  /** Wei, 256 bits at most. */
  readonly baseFeePerGas: bigint
  readonly parentBeaconBlockRoot: Uint8Array
}

const ZERO = encodeUint(0n)

/** A header's RLP, whose hash is the block's. Throws a RangeError where a field is too long, too short or too large. */
export function encodeHeader(header: Header): Uint8Array {
  return encodeList([
    bytes(header.parentHash, 32),
    encodeBytes(EMPTY_OMMERS_HASH),
    bytes(header.beneficiary, 20),
    bytes(header.stateRoot, 32),
    bytes(header.transactionsRoot, 32),
    bytes(header.receiptsRoot, 32),
    bytes(header.logsBloom, BLOOM_BYTES),
    ZERO, // difficulty
    uint(header.number, 64),
    uint(header.gasLimit, 64),
    uint(header.gasUsed, 64),
    uint(header.timestamp, 64),
    bytes(header.extraData, Math.min(header.extraData.length, MAX_EXTRA_DATA_BYTES)),
    bytes(header.prevRandao, 32),
    encodeBytes(ZERO_NONCE),
    uint(header.baseFeePerGas, 256),
    encodeBytes(EMPTY_WITHDRAWALS_ROOT),
    ZERO, // blobGasUsed
    ZERO, // excessBlobGas
    bytes(header.parentBeaconBlockRoot, 32),
    encodeBytes(EMPTY_REQUESTS_HASH),
  ])
}

function bytes(value: Uint8Array, length: number): Uint8Array {
  if (value.length !== length) throw new RangeError(`${value.length} bytes where a header has ${length}`)
  return encodeBytes(value)
}

function uint(value: bigint, bits: number): Uint8Array {
  if (value >> BigInt(bits) !== 0n) throw new RangeError(`${value} is no uint${bits}`)
  return encodeUint(value)
}

/** The hash of the block whose header has this RLP, 32 bytes. */
export const hashOfHeader = (rlp: Uint8Array): Uint8Array => keccak256(rlp)

/** The header of an RLP that `encodeHeader` wrote. Throws Unreadable on everything else. */
export function decodeHeader(rlp: Uint8Array): Header {
  const fields = decodeFields(rlp)
  const at = (index: number): Uint8Array => {
    const field = fields[index]
    if (!(field instanceof Uint8Array)) throw new Unreadable('not a header: a field is missing or a list')
    return field
  }
  const header: Header = {
    parentHash: at(0),
    beneficiary: at(2),
    stateRoot: at(3),
    transactionsRoot: at(4),
    receiptsRoot: at(5),
    logsBloom: at(6),
    number: toUint(at(8)),
    gasLimit: toUint(at(9)),
    gasUsed: toUint(at(10)),
    timestamp: toUint(at(11)),
    extraData: at(12),
    prevRandao: at(13),
    baseFeePerGas: toUint(at(15)),
    parentBeaconBlockRoot: at(19),
  }
  if (!isHeader(header, rlp)) throw new Unreadable('not a header of this chain')
  return header
}

function decodeFields(rlp: Uint8Array): readonly unknown[] {
  let decoded: unknown
  try {
    decoded = RLP.decode(rlp)
  } catch (error) {
    rethrowExhaustion(error)
    throw new Unreadable('not a header: no RLP')
  }
  return Array.isArray(decoded) ? decoded : []
}

function isHeader(header: Header, rlp: Uint8Array): boolean {
  try {
    return equalBytes(encodeHeader(header), rlp)
  } catch (error) {
    rethrowExhaustion(error)
    return false
  }
}

const toUint = (value: Uint8Array): bigint => (value.length === 0 ? 0n : BigInt(`0x${toHex(value)}`))

import { type Address, checkAddress } from '../../../core/address.ts'
import { joinBytes, NO_BYTES, uint64BigEndian } from '../../../core/bytes.ts'
import { keccak256 } from '../../../core/crypto/keccak.ts'
import { isLowS, recoverSecp256k1 } from '../../../core/crypto/secp256k1.ts'
import { Unreadable } from '../../../core/error.ts'
import { wordBytes } from '../machine/word.ts'
import type { AccessListEntry, Authorization, EthereumTx, TxType } from './ethereum-tx.ts'
import { bytesOf, itemsOf, listPrefix, numberOf, type RlpItem, readList } from './rlp.ts'

/** A list's prefix: a legacy transaction begins with it, the others with their type. */
const FIRST_LIST_PREFIX = 0xc0
const TYPES: readonly number[] = [1, 2, 4]
const AUTHORIZATION_MAGIC = Uint8Array.of(0x05)
const UINT64_BYTES = 8
/** As long as geth's mempool takes one. */
export const MAX_TX_BYTES = 128 * 1024
const MAX_UINT64 = 2n ** 64n - 1n
const MAX_WORD = 2n ** 256n - 1n

/** Whether bytes are meant as a transaction of Ethereum's: those of the SDK begin with 0x0a. */
export const isEthereumTx = (bytes: Uint8Array): boolean =>
  bytes.length > 0 && (bytes[0]! >= FIRST_LIST_PREFIX || [1, 2, 3, 4].includes(bytes[0]!))

/** Whose signature of a digest it is; nothing where it is nobody's, or has a high s (EIP-2). */
function signerOf(digest: Uint8Array, yParity: number, r: bigint, s: bigint): Address | undefined {
  const signature = joinBytes([wordBytes(r), wordBytes(s)])
  const key = isLowS(signature) ? recoverSecp256k1(digest, signature, yParity) : undefined
  return key && checkAddress(keccak256(key).subarray(12))
}

function senderOf(digest: Uint8Array, yParity: number, r: bigint, s: bigint, known?: Address): Address {
  const sender = known ?? signerOf(digest, yParity, r, s)
  if (sender === undefined) throw new Unreadable('the signature is nobody’s, or has a high s')
  return sender
}

/** What is signed: the first `count` items, behind the type, before what the form adds. */
function signedDigest(
  type: number,
  items: readonly RlpItem[],
  count: number,
  added?: readonly Uint8Array[],
): Uint8Array {
  const parts = items.slice(0, count).map(({ raw }) => raw)
  for (const part of added ?? []) parts.push(part)
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const first = type === 0 ? NO_BYTES : Uint8Array.of(type)
  return keccak256(first, listPrefix(length), joinBytes(parts))
}

const recipientOf = (item: RlpItem): Address | undefined =>
  bytesOf(item).length === 0 ? undefined : checkAddress(bytesOf(item, 20))

function accessListOf(item: RlpItem): AccessListEntry[] {
  return itemsOf(item).map((entry) => {
    const [address, slots] = exactly(itemsOf(entry, 2), 2)
    return { address: checkAddress(bytesOf(address!, 20)), slots: itemsOf(slots!).map((s) => bytesOf(s, 32)) }
  })
}

function authorizationOf(entry: RlpItem): Authorization {
  const items = exactly(itemsOf(entry, 6), 6)
  const chainId = numberOf(items[0]!)
  const address = checkAddress(bytesOf(items[1]!, 20))
  const nonce = numberOf(items[2]!, UINT64_BYTES)
  const yParity = numberOf(items[3]!, 1)
  const [r, s] = [numberOf(items[4]!), numberOf(items[5]!)]
  const signed = items.slice(0, 3)
  const length = signed.reduce((sum, { raw }) => sum + raw.length, 0)
  const digest = keccak256(AUTHORIZATION_MAGIC, listPrefix(length), joinBytes(signed.map(({ raw }) => raw)))
  return {
    chainId,
    address,
    nonce,
    yParity: Number(yParity),
    r,
    s,
    digest,
  }
}

/** Whose word an authorisation is; nothing where the signature is nobody's. Takes as long as recovering a sender. */
export const authorityOf = ({ digest, yParity, r, s }: Authorization): Address | undefined =>
  yParity <= 1 ? signerOf(digest, yParity, r, s) : undefined

function exactly(items: RlpItem[], count: number): RlpItem[] {
  if (items.length !== count) throw new Unreadable(`${items.length} fields where ${count} are meant`)
  return items
}

/** Fields that all forms have, in their order, from the nonce on. */
interface Fields {
  readonly type: TxType
  readonly items: readonly RlpItem[]
  /** Where the nonce stands, and how many prices follow it. */
  readonly nonceAt: number
  readonly prices: 1 | 2
}

function common({ type, items, nonceAt, prices }: Fields) {
  const at = nonceAt + 1 + prices
  const maxFeePerGas = numberOf(items[at - 1]!)
  const maxPriorityFeePerGas = numberOf(items[nonceAt + 1]!)
  const gasLimit = numberOf(items[at]!, UINT64_BYTES)
  const nonce = numberOf(items[nonceAt]!, UINT64_BYTES)
  if (nonce === MAX_UINT64) throw new Unreadable('the nonce is 2^64 - 1, which no account reaches (EIP-2681)')
  if (maxPriorityFeePerGas > maxFeePerGas)
    throw new Unreadable('max priority fee per gas higher than max fee per gas')
  const value = numberOf(items[at + 2]!)
  if (gasLimit * maxFeePerGas + value > MAX_WORD) throw new Unreadable('the cost has more than 256 bits')
  return {
    type,
    nonce,
    maxPriorityFeePerGas,
    maxFeePerGas,
    gasLimit,
    to: recipientOf(items[at + 1]!),
    value,
    data: bytesOf(items[at + 3]!),
  }
}

function decodeLegacy(bytes: Uint8Array, chainId: bigint, known?: Address): EthereumTx {
  const items = exactly(readList(bytes, 9), 9)
  const [v, r, s] = [numberOf(items[6]!), numberOf(items[7]!), numberOf(items[8]!)]
  const first = chainId * 2n + 35n
  if (v === 27n || v === 28n)
    throw new Unreadable('only replay-protected (EIP-155) transactions allowed: it names no chain')
  if (v !== first && v !== first + 1n) throw new Unreadable(`it is for another chain: this one is ${chainId}`)
  const digest = signedDigest(0, items, 6, [rlpNumber(chainId), Uint8Array.of(0x80), Uint8Array.of(0x80)])
  return {
    ...common({ type: 0, items, nonceAt: 0, prices: 1 }),
    bytes,
    hash: keccak256(bytes),
    sender: senderOf(digest, Number(v - first), r, s, known),
    accessList: [],
    authorizations: [],
    v,
    r,
    s,
  }
}

/** A chain's number as an item, below 2^64. */
function rlpNumber(value: bigint): Uint8Array {
  if (value > 0n && value < 0x80n) return Uint8Array.of(Number(value))
  const bytes = uint64BigEndian(value)
  const first = bytes.findIndex((byte) => byte !== 0)
  const digits = first < 0 ? new Uint8Array(0) : bytes.subarray(first)
  return joinBytes([Uint8Array.of(0x80 + digits.length), digits])
}

const FIELD_COUNTS: Readonly<Record<number, number>> = { 1: 11, 2: 12, 4: 13 }

function decodeTyped(bytes: Uint8Array, type: 1 | 2 | 4, chainId: bigint, known?: Address): EthereumTx {
  const count = FIELD_COUNTS[type]!
  const items = exactly(readList(bytes.subarray(1), count), count)
  if (numberOf(items[0]!) !== chainId) throw new Unreadable(`it is for another chain: this one is ${chainId}`)
  const fields = common({ type, items, nonceAt: 1, prices: type === 1 ? 1 : 2 })
  const signatureAt = count - 3
  const [v, r, s] = [
    numberOf(items[signatureAt]!, 1),
    numberOf(items[signatureAt + 1]!),
    numberOf(items[count - 1]!),
  ]
  if (v > 1n) throw new Unreadable('the parity of the signature is 0 or 1')
  const authorizations = type === 4 ? itemsOf(items[9]!).map(authorizationOf) : []
  if (type === 4 && fields.to === undefined)
    throw new Unreadable('a transaction of type 4 creates no contract')
  if (type === 4 && authorizations.length === 0)
    throw new Unreadable('a transaction of type 4 has an authorization')
  const digest = signedDigest(type, items, signatureAt)
  return {
    ...fields,
    bytes,
    hash: keccak256(bytes),
    sender: senderOf(digest, Number(v), r, s, known),
    accessList: accessListOf(items[type === 1 ? 7 : 8]!),
    authorizations,
    v,
    r,
    s,
  }
}

/**
 * Decodes a transaction of Ethereum's and recovers its sender, unless that is known of one that stands in a block. Each has
 * one encoding. Throws Unreadable, saying what is wrong.
 */
export function decodeEthereumTx(bytes: Uint8Array, chainId: bigint, known?: Address): EthereumTx {
  if (bytes.length > MAX_TX_BYTES)
    throw new Unreadable(`oversized data: transaction size ${bytes.length}, limit ${MAX_TX_BYTES}`)
  const first = bytes[0] ?? 0
  if (first >= FIRST_LIST_PREFIX) return decodeLegacy(bytes, chainId, known)
  if (first === 3) throw new Unreadable('transaction type not supported: this chain has no blobs')
  if (!TYPES.includes(first)) throw new Unreadable('transaction type not supported')
  return decodeTyped(bytes, first as 1 | 2 | 4, chainId, known)
}

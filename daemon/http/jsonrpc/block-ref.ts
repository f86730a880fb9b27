import { decodeData } from './data.ts'
import { codes, JsonRpcError } from './errors.ts'
import { Malformed } from './hex.ts'
import type { Param } from './params.ts'
import { decodeQuantity } from './quantity.ts'

/** Which block is meant: by number, by hash, or by how it stands to the chain. */
export type BlockRef = bigint | 'earliest' | 'latest' | 'pending' | { readonly hash: Uint8Array }

const TAGS: Readonly<Record<string, BlockRef>> = {
  earliest: 'earliest',
  latest: 'latest',
  // A commit is final.
  safe: 'latest',
  finalized: 'latest',
  pending: 'pending',
}

function readNumberOrTag(value: unknown): BlockRef {
  if (typeof value === 'string' && Object.hasOwn(TAGS, value)) return TAGS[value]!
  return decodeQuantity(value, 64)
}

/** A number or a tag. */
export const blockNumber: Param<BlockRef> = { parse: readNumberOrTag }

/** The same, a hash, or an object of EIP-1898; the last block where it is left out. */
export const blockRef: Param<BlockRef> = {
  isOptional: true,
  parse(value) {
    if (value === undefined || value === null) return 'latest'
    if (typeof value === 'string' && value.length === 66) return { hash: decodeData(value, 32) }
    if (typeof value !== 'object' || Array.isArray(value)) return readNumberOrTag(value)
    const { blockNumber: number, blockHash: hash } = value as Record<string, unknown>
    if (hash !== undefined && number !== undefined)
      throw new Malformed('cannot specify both BlockHash and BlockNumber, choose one or the other')
    if (hash !== undefined) return { hash: decodeData(hash, 32) }
    return readNumberOrTag(number)
  },
}

export const unknownBlock = (): JsonRpcError => new JsonRpcError(codes.refused, 'header not found')

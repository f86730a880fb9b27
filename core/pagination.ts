import type { PageRequest, PageResponse } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import * as paginationTypes from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import type { MapCollection } from './collections.ts'
import type { Context } from './context.ts'
import { sdk } from './error.ts'
import { registerTypes } from './wire/registry.ts'

registerTypes(paginationTypes)

const DEFAULT_LIMIT = 100
/** Larger limits are cut to this; `next_key` leads on. */
const MAX_LIMIT = 10_000
const MAX_OFFSET = 1_000_000n

export interface Page<T> {
  readonly items: T[]
  readonly pagination: PageResponse
}

interface Asked {
  readonly key: Uint8Array
  readonly offset: number
  readonly limit: number
  readonly reverse: boolean
  readonly count: boolean
}

/** Reads a request by the SDK's rules: `key` or `offset`, 100 entries unless told. Throws sdk/18. */
function read(request: PageRequest | undefined): Asked {
  const { key, offset, reverse } = request ?? { key: new Uint8Array(0), offset: 0n, reverse: false }
  if (offset > 0n && key.length > 0)
    throw sdk.invalidRequest('invalid request, either offset or key is expected, got both')
  if (offset > MAX_OFFSET) throw sdk.invalidRequest(`offset is at most ${MAX_OFFSET}; use key`)
  const asked = request?.limit ?? 0n
  return {
    key,
    offset: Number(offset),
    reverse,
    limit: asked === 0n ? DEFAULT_LIMIT : asked > BigInt(MAX_LIMIT) ? MAX_LIMIT : Number(asked),
    count: key.length === 0 && (request?.countTotal === true || asked === 0n),
  }
}

/** A page ends where half of a query's gas is spent: `next_key` leads on. */
const isSpent = ({ gas }: Context): boolean => gas.consumed * 2n > gas.limit

/**
 * One page of a collection: `total` where it is asked for (or no limit is given) and no key. Offsets and totals cost what
 * a read does, however many entries there are.
 */
export function paginate<K, V, T>(
  ctx: Context,
  collection: MapCollection<K, V>,
  request: PageRequest | undefined,
  show: (key: K, value: V) => T,
  within?: Uint8Array,
): Page<T> {
  const { key, offset, limit, reverse, count } = read(request)
  const total = count ? BigInt(collection.count(ctx, within)) : 0n
  const items: T[] = []
  const range = key.length > 0 ? { from: key, reverse } : { skip: offset, reverse }
  for (const [rest, k, v] of collection.rawEntries(ctx, within, range)) {
    if (items.length === limit || (items.length > 0 && isSpent(ctx)))
      return { items, pagination: { nextKey: rest, total } }
    items.push(show(k, v))
  }
  return { items, pagination: { nextKey: new Uint8Array(0), total } }
}

/** The same of those entries only for which `pick` answers something; to count or skip them is to walk over them. */
export function paginateSome<K, V, T>(
  ctx: Context,
  collection: MapCollection<K, V>,
  request: PageRequest | undefined,
  pick: (key: K, value: V) => T | undefined,
  within?: Uint8Array,
): Page<T> {
  const { key, offset, limit, reverse, count } = read(request)
  const items: T[] = []
  let nextKey: Uint8Array = new Uint8Array(0)
  let seen = 0
  const range = key.length > 0 ? { from: key, reverse } : { reverse }
  for (const [rest, k, v] of collection.rawEntries(ctx, within, range)) {
    const picked = pick(k, v)
    if (picked === undefined) continue
    seen++
    if (seen <= offset) continue
    if (nextKey.length === 0 && items.length < limit && !(items.length > 0 && isSpent(ctx))) {
      items.push(picked)
      continue
    }
    if (nextKey.length === 0) nextKey = rest
    if (!count) break
  }
  return { items, pagination: { nextKey, total: count ? BigInt(seen) : 0n } }
}

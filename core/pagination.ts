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

/**
 * One page of a collection, by the SDK's rules: `key` or `offset`, 100 entries unless told, `total` where it is asked
 * for (or no limit is given) and no key. Entries that `pick` answers nothing for are left out and not counted.
 */
export function paginate<K, V, T>(
  ctx: Context,
  collection: MapCollection<K, V>,
  request: PageRequest | undefined,
  pick: (key: K, value: V) => T | undefined,
  within?: Uint8Array,
): Page<T> {
  const { key, offset, reverse } = request ?? { key: new Uint8Array(0), offset: 0n, reverse: false }
  if (offset > 0n && key.length > 0)
    throw sdk.invalidRequest('invalid request, either offset or key is expected, got both')
  if (offset > MAX_OFFSET) throw sdk.invalidRequest(`offset is at most ${MAX_OFFSET}; use key`)
  const asked = request?.limit ?? 0n
  const limit = asked === 0n ? DEFAULT_LIMIT : asked > BigInt(MAX_LIMIT) ? MAX_LIMIT : Number(asked)
  const count = key.length === 0 && (request?.countTotal === true || asked === 0n)
  const items: T[] = []
  let nextKey: Uint8Array = new Uint8Array(0)
  let seen = 0n
  const range = key.length > 0 ? { from: key, reverse } : { reverse }
  for (const [rest, k, v] of collection.rawEntries(ctx, within, range)) {
    if (items.length === limit && nextKey.length > 0 && !count) break
    const picked = pick(k, v)
    if (picked === undefined) continue
    seen++
    if (seen <= offset) continue
    if (items.length < limit) items.push(picked)
    else if (nextKey.length === 0) {
      nextKey = rest
      if (!count) break
    }
  }
  return { items, pagination: { nextKey, total: count ? seen : 0n } }
}

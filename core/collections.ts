import { type Address, checkAddress } from './address.ts'
import { concatBytes, fromUtf8, prefixEnd, readUint64BigEndian, uint64BigEndian, utf8 } from './bytes.ts'
import type { Codec } from './codec.ts'
import type { Context } from './context.ts'
import { Unreadable } from './error.ts'
import { mayMeet, type Parts, type PathCollection, pathCollection, segmentsOf } from './path-collection.ts'
import { beside } from './remembered.ts'

/** A key part: byte order is the order of iteration. `encode`/`decode` as the last part of a key, `…Part` before others. */
export interface KeyCodec<K> extends Codec<K> {
  readonly encodePart: (key: K) => Uint8Array
  /** The key at `offset` and the offset behind it. */
  readonly decodePart: (bytes: Uint8Array, offset: number) => readonly [K, number]
}

export interface Range {
  readonly reverse?: boolean
  /** Full key bytes (without the collection's prefix) to begin at, inclusive: for pagination. */
  readonly from?: Uint8Array
  /** Entries to leave out first. */
  readonly skip?: number
}

export interface Item<V> {
  get(ctx: Context): V | undefined
  set(ctx: Context, value: V): void
  delete(ctx: Context): void
}

export interface MapCollection<K, V> {
  get(ctx: Context, key: K): V | undefined
  has(ctx: Context, key: K): boolean
  set(ctx: Context, key: K, value: V): void
  delete(ctx: Context, key: K): void
  /** Ascending by encoded key. `within` is the encoded leading part of a composite key (`part(codec, value)`). */
  entries(ctx: Context, within?: Uint8Array, range?: Range): IterableIterator<readonly [K, V]>
  /** The same with the key's bytes behind `within`, which pagination hands out as `next_key`. */
  rawEntries(
    ctx: Context,
    within?: Uint8Array,
    range?: Range,
  ): IterableIterator<readonly [rest: Uint8Array, key: K, value: V]>
  /** How many entries there are, in the time of a read. */
  count(ctx: Context, within?: Uint8Array): number
  /** The stored key without the store's name, for proofs. */
  path(key: K): Uint8Array
}

/** Whether a path whose first segment this is may begin with a byte. */
const mayBegin = (segment: string, byte: number): boolean => segment === '{}' || utf8(segment)[0] === byte

/** The encoded leading part of a composite key. */
export const part = <K>(codec: KeyCodec<K>, key: K): Uint8Array => codec.encodePart(key)

/** What a store's collections have claimed: first bytes of keys, and templates of paths. */
interface Claims {
  readonly prefixes: Set<number>
  readonly templates: (readonly string[])[]
}

// biome-ignore lint/plugin: a register of what the program declares
const taken = new Map<string, Claims>()

/** Opens the declaration of the collections of one store. A prefix or path used twice throws here, at import. */
export function collections(store: string): {
  item<V>(prefix: number, value: Codec<V>): Item<V>
  map<K, V>(prefix: number, key: KeyCodec<K>, value: Codec<V>): MapCollection<K, V>
  /** `template` has `{}` for each part of its paths: `clients/{}/clientState`. */
  paths<const T extends string, V>(template: T, value: Codec<V>): PathCollection<Parts<T>, V>
} {
  const { prefixes, templates } = taken.get(store) ?? { prefixes: new Set(), templates: [] }
  taken.set(store, { prefixes, templates })
  const claim = (prefix: number): Uint8Array => {
    if (prefixes.has(prefix) || templates.some(([first]) => mayBegin(first!, prefix)))
      throw new Error(`store ${store}: prefix ${prefix} is taken`)
    prefixes.add(prefix)
    return Uint8Array.of(prefix)
  }
  const claimPath = (template: string): void => {
    const segments = segmentsOf(template)
    const isTaken =
      templates.some((other) => mayMeet(segments, other)) ||
      [...prefixes].some((prefix) => mayBegin(segments[0]!, prefix))
    if (isTaken) throw new Error(`store ${store}: a path of ${template} is taken`)
    templates.push(segments)
  }
  return {
    paths(template, codec) {
      claimPath(template)
      return pathCollection(store, template, codec)
    },
    item<V>(prefix: number, codec: Codec<V>): Item<V> {
      const key = claim(prefix)
      return {
        get(ctx) {
          const bytes = ctx.get(store, key)
          return bytes === undefined ? undefined : codec.decode(bytes)
        },
        set: (ctx, value) => ctx.set(store, key, codec.encode(value)),
        delete: (ctx) => ctx.delete(store, key),
      }
    },
    map<K, V>(prefix: number, key: KeyCodec<K>, codec: Codec<V>): MapCollection<K, V> {
      const head = claim(prefix)
      const at = (k: K): Uint8Array => concatBytes(head, key.encode(k))
      function* rawEntries(
        ctx: Context,
        within: Uint8Array = new Uint8Array(0),
        range: Range = {},
      ): IterableIterator<readonly [Uint8Array, K, V]> {
        const lead = concatBytes(head, within)
        let start = lead
        let end = prefixEnd(lead)
        if (range.from !== undefined) {
          if (range.reverse) end = concatBytes(lead, range.from, Uint8Array.of(0))
          else start = concatBytes(lead, range.from)
        }
        if (range.skip !== undefined && range.skip > 0) {
          const first = ctx.keyAfter(store, start, end, range.skip, range.reverse ?? false)
          if (first === undefined) return
          if (range.reverse) end = concatBytes(first, Uint8Array.of(0))
          else start = first
        }
        for (const [k, v] of ctx.entries(store, start, end, range.reverse ?? false)) {
          yield [k.subarray(lead.length), key.decode(k.subarray(1)), codec.decode(v)]
        }
      }
      return {
        get(ctx, k) {
          const bytes = ctx.get(store, at(k))
          return bytes === undefined ? undefined : codec.decode(bytes)
        },
        has: (ctx, k) => ctx.has(store, at(k)),
        set: (ctx, k, value) => ctx.set(store, at(k), codec.encode(value)),
        delete: (ctx, k) => ctx.delete(store, at(k)),
        *entries(ctx, within, range) {
          for (const [, k, v] of rawEntries(ctx, within, range)) yield [k, v]
        },
        rawEntries,
        count(ctx, within = new Uint8Array(0)) {
          const lead = concatBytes(head, within)
          return ctx.count(store, lead, prefixEnd(lead))
        },
        path: at,
      }
    },
  }
}

/** 0–255 bytes, length-prefixed before other parts (the SDK's `address.MustLengthPrefix`). */
export const bytesKey: KeyCodec<Uint8Array> = {
  encode: (k) => k,
  decode: (b) => b,
  encodePart(k) {
    if (k.length > 255) throw new Unreadable('a key part is at most 255 bytes')
    return concatBytes(Uint8Array.of(k.length), k)
  },
  decodePart(b, offset) {
    const end = offset + 1 + b[offset]!
    return [b.subarray(offset + 1, end), end]
  },
}

export const addressKey = bytesKey as unknown as KeyCodec<Address>

/** An address behind its length wherever it stands in a key: shorter ones come first, as in the SDK's older stores. */
export const prefixedAddressKey: KeyCodec<Address> = {
  ...addressKey,
  encode: addressKey.encodePart,
  decode: (b) => addressKey.decodePart(b, 0)[0],
}

/** Text without a zero byte; before other parts it ends in one. */
export const textKey: KeyCodec<string> = {
  encode: (k) => utf8(k),
  decode: (b) => fromUtf8(b),
  encodePart(k) {
    if (k.includes('\0')) throw new Unreadable('a text key has no zero byte')
    return utf8(`${k}\0`)
  },
  decodePart(b, offset) {
    const end = b.indexOf(0, offset)
    return [fromUtf8(b.subarray(offset, end)), end + 1]
  },
}

/** 0 … 2^64−1, big-endian. */
export const uint64Key: KeyCodec<bigint> = {
  encode: uint64BigEndian,
  decode: (b) => readUint64BigEndian(b),
  encodePart: uint64BigEndian,
  decodePart: (b, offset) => [readUint64BigEndian(b, offset), offset + 8],
}

export function pair<A, B>(a: KeyCodec<A>, b: KeyCodec<B>): KeyCodec<readonly [A, B]> {
  return {
    encode: ([x, y]) => concatBytes(a.encodePart(x), b.encode(y)),
    decode(bytes) {
      const [x, next] = a.decodePart(bytes, 0)
      return [x, b.decode(bytes.subarray(next))]
    },
    encodePart: ([x, y]) => concatBytes(a.encodePart(x), b.encodePart(y)),
    decodePart(bytes, offset) {
      const [x, next] = a.decodePart(bytes, offset)
      const [y, end] = b.decodePart(bytes, next)
      return [[x, y], end]
    },
  }
}

export function triple<A, B, C>(
  a: KeyCodec<A>,
  b: KeyCodec<B>,
  c: KeyCodec<C>,
): KeyCodec<readonly [A, B, C]> {
  const nested = pair(a, pair(b, c))
  return {
    encode: ([x, y, z]) => nested.encode([x, [y, z]]),
    decode(bytes) {
      const [x, [y, z]] = nested.decode(bytes)
      return [x, y, z]
    },
    encodePart: ([x, y, z]) => nested.encodePart([x, [y, z]]),
    decodePart(bytes, offset) {
      const [[x, [y, z]], end] = nested.decodePart(bytes, offset)
      return [[x, y, z], end]
    },
  }
}

/** An integer in decimal digits, as the SDK stores `math.Int`. */
export const intValue: Codec<bigint> = {
  encode: (n) => utf8(n.toString()),
  decode: (b) => BigInt(fromUtf8(b)),
}
export const uint64Value: Codec<bigint> = { encode: uint64BigEndian, decode: (b) => readUint64BigEndian(b) }
export const textValue: Codec<string> = { encode: utf8, decode: fromUtf8 }
export const bytesValue: Codec<Uint8Array> = { encode: (b) => b, decode: (b) => b }
export const addressValue: Codec<Address> = { encode: (b) => b, decode: checkAddress }
export const boolValue: Codec<boolean> = {
  encode: (b) => Uint8Array.of(b ? 1 : 0),
  decode: (b) => b[0] === 1,
}
/** For sets: the key is all there is. IAVL proves no empty value, so one byte is stored. */
export const presence: Codec<true> = { encode: () => Uint8Array.of(1), decode: () => true }

/** A protobuf message, by a cosmjs-types or protobufjs codec. */
export function protoValue<T>(type: {
  encode(message: T): { finish(): Uint8Array }
  decode(bytes: Uint8Array): T
}): Codec<T> {
  return { encode: (m) => type.encode(m).finish(), decode: (b) => type.decode(b) }
}

/**
 * The same codec, which decodes the bytes of one stored value once and hands out the same frozen object again. For
 * small values that nearly every transaction reads.
 */
export function remembering<T extends object>(codec: Codec<T>): Codec<Readonly<T>> {
  const decoded = beside<Uint8Array, Readonly<T>>()
  return {
    encode(value) {
      const bytes = codec.encode(value as T)
      decoded.set(bytes, Object.freeze(value))
      return bytes
    },
    decode: (bytes) => decoded.get(bytes) ?? decoded.set(bytes, Object.freeze(codec.decode(bytes))),
  }
}

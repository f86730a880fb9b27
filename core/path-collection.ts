import { fromUtf8, prefixEnd, utf8 } from './bytes.ts'
import type { Codec } from './codec.ts'
import type { Context } from './context.ts'
import { Unreadable } from './error.ts'

const PART = '{}'

/** A tuple with a text for each `{}` of a template. */
export type Parts<T extends string> = T extends `${string}{}${infer Rest}`
  ? readonly [string, ...Parts<Rest>]
  : readonly []

/** Values under paths of ICS-24: text without a prefix byte, as other chains prove it. */
export interface PathCollection<K extends readonly string[], V> {
  get(ctx: Context, parts: K): V | undefined
  has(ctx: Context, parts: K): boolean
  set(ctx: Context, parts: K, value: V): void
  delete(ctx: Context, parts: K): void
  /** In the order of the paths' bytes: `10` is before `9`. `leading`: the first parts, which all have in common. */
  entries(ctx: Context, leading?: readonly string[]): IterableIterator<readonly [parts: K, V]>
  /** The stored key without the store's name, for proofs. */
  path(parts: K): Uint8Array
}

/** The segments of a template. Throws where it is none: a `{}` stands alone between slashes. */
export function segmentsOf(template: string): readonly string[] {
  const segments = template.split('/')
  for (const segment of segments)
    if (segment === '' || (segment !== PART && segment.includes(PART)))
      throw new Error(`${template} is no template of paths`)
  return segments
}

/** Whether some path is of both templates. */
export const mayMeet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((segment, i) => segment === b[i] || segment === PART || b[i] === PART)

const LONE_SURROGATE = /\p{Surrogate}/u

function segment(part: string): string {
  if (part === '' || part.includes('/') || LONE_SURROGATE.test(part))
    throw new Unreadable('a part of a path is text, not empty, and has no slash')
  return part
}

/** The texts at the places of `{}`; nothing where the path is of another template. */
function partsOf(segments: readonly string[], path: Uint8Array): string[] | undefined {
  const found = fromUtf8(path).split('/')
  if (!mayMeet(segments, found)) return undefined
  return found.filter((_, i) => segments[i] === PART)
}

/** The values of a store under the paths of a template such as `clients/{}/consensusStates/{}`. */
export function pathCollection<const T extends string, V>(
  store: string,
  template: T,
  codec: Codec<V>,
): PathCollection<Parts<T>, V> {
  const segments = segmentsOf(template)
  const count = segments.filter((text) => text === PART).length
  const at = (parts: Parts<T>): Uint8Array => {
    if (parts.length !== count) throw new Error(`${template} has ${count} parts, not ${parts.length}`)
    let i = 0
    return utf8(segments.map((text) => (text === PART ? segment(parts[i++]!) : text)).join('/'))
  }
  /** What all paths with these parts begin with, up to the next one. */
  const lead = (leading: readonly string[]): Uint8Array => {
    if (leading.length >= count) throw new Error(`${leading.length} parts of ${template} lead to no others`)
    let text = ''
    let i = 0
    for (const next of segments) {
      if (next === PART && i === leading.length) break
      text += `${next === PART ? segment(leading[i++]!) : next}/`
    }
    return utf8(text)
  }
  return {
    get(ctx, parts) {
      const bytes = ctx.get(store, at(parts))
      return bytes === undefined ? undefined : codec.decode(bytes)
    },
    has: (ctx, parts) => ctx.has(store, at(parts)),
    set: (ctx, parts, value) => ctx.set(store, at(parts), codec.encode(value)),
    delete: (ctx, parts) => ctx.delete(store, at(parts)),
    *entries(ctx, leading = []) {
      const start = lead(leading)
      for (const [key, value] of ctx.entries(store, start, prefixEnd(start), false)) {
        const parts = partsOf(segments, key)
        if (parts !== undefined) yield [parts as unknown as Parts<T>, codec.decode(value)]
      }
    },
    path: at,
  }
}

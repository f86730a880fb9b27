/**
 * The one way in which consensus code remembers: results of pure functions, which change speed and never an answer. The
 * tests' cold twins run with this file replaced by one that remembers nothing.
 */
import { hash } from 'node:crypto'
import { ByteCache } from './byte-cache.ts'
import { toLatin1 } from './bytes.ts'

declare const brand: unique symbol
/** Text that no other list of parts has. */
export type Key = string & { readonly [brand]: 'Key' }

/** Distinct for distinct lists: each part stands behind its kind and its length. */
export function keyOf(...parts: readonly (string | Uint8Array | bigint)[]): Key {
  let key = ''
  for (const part of parts)
    if (typeof part === 'string') key += `t${part.length}:${part}`
    else if (typeof part === 'bigint') key += `n${part};`
    else key += `b${part.length}:${toLatin1(part)}`
  return key as Key
}

/** The same for one long part: its SHA-256. */
export const digestKey = (bytes: Uint8Array): Key => hash('sha256', bytes, 'binary') as Key

export interface Memory<V> {
  get(key: Key): V | undefined
  /** Answers `value`. */
  set(key: Key, value: V): V
  delete(key: Key): void
}

/** Bytes that an entry takes beside its key's text and its value, about. */
const ENTRY_BYTES = 128

/** About the last results, in at most `maxBytes` by `bytesOf` (bytes that a result takes) and the keys' lengths. */
export function memory<V>(maxBytes: number, bytesOf: (value: V) => number): Memory<V> {
  const entries = new ByteCache<V>(maxBytes)
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      entries.set(key, value, ENTRY_BYTES + key.length + bytesOf(value))
      return value
    },
    delete: (key) => entries.delete(key),
  }
}

export interface Beside<K extends object, V> {
  get(key: K): V | undefined
  /** Answers `value`. */
  set(key: K, value: V): V
}

/** Results made of objects that nobody changes (stored bytes, frozen messages), for as long as each of them lives. */
export function beside<K extends object, V>(): Beside<K, V> {
  const results = new WeakMap<K, V>()
  return {
    get: (key) => results.get(key),
    set(key, value) {
      results.set(key, value)
      return value
    },
  }
}

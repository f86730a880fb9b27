import { createHash, hash as hashOnce } from 'node:crypto'
import { Unreadable } from './error.ts'

export const NO_BYTES = new Uint8Array(0)

/** Lexicographic order: negative, zero or positive, as a comparator's. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const n = Math.min(a.length, b.length)
  for (let i = 0; i < n; i++) {
    const d = a[i]! - b[i]!
    if (d !== 0) return d
  }
  return a.length - b.length
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && compareBytes(a, b) === 0
}

export const concatBytes = (...parts: readonly Uint8Array[]): Uint8Array => joinBytes(parts)

/** The same for a list of any length: as arguments it would take the stack. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const p of parts) length += p.length
  const out = new Uint8Array(length)
  let at = 0
  for (const p of parts) {
    out.set(p, at)
    at += p.length
  }
  return out
}

/** The smallest key greater than every key that starts with `prefix`; absent where there is none (all 0xff). */
export function prefixEnd(prefix: Uint8Array): Uint8Array | undefined {
  for (let i = prefix.length - 1; i >= 0; i--) {
    if (prefix[i] !== 0xff) {
      const end = prefix.slice(0, i + 1)
      end[i]!++
      return end
    }
  }
  return undefined
}

const view = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

// The native method takes any view of bytes; through it no Buffer object is made for each key.
const latin1Slice = (Buffer.prototype as unknown as { latin1Slice: (start: number, end: number) => string })
  .latin1Slice

/** One character a byte: a Map key for bytes, in the same order. */
export const toLatin1 = (bytes: Uint8Array): string => latin1Slice.call(bytes, 0, bytes.length)
export const fromLatin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))
export const toHex = (bytes: Uint8Array): string => view(bytes).toString('hex')
export const toBase64 = (bytes: Uint8Array): string => view(bytes).toString('base64')

/** Throws Unreadable on anything but pairs of hex digits. */
export function fromHex(text: string): Uint8Array {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) throw new Unreadable('not hexadecimal')
  return new Uint8Array(Buffer.from(text, 'hex'))
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Standard or URL alphabet, padded or not. Throws Unreadable on anything else. */
export function fromBase64(text: string): Uint8Array {
  let standard = text.replace(/-/g, '+').replace(/_/g, '/')
  if (standard.length % 4 !== 0 && !standard.endsWith('=')) standard += '='.repeat(4 - (standard.length % 4))
  if (!BASE64.test(standard)) throw new Unreadable('not base64')
  return new Uint8Array(Buffer.from(standard, 'base64'))
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
export const utf8 = (text: string): Uint8Array => encoder.encode(text)
/** Throws a TypeError where the bytes are not UTF-8. */
export const fromUtf8 = (bytes: Uint8Array): string => decoder.decode(bytes)

/** Big-endian, so that byte order is numeric order. Throws Unreadable outside 0 … 2^64−1. */
export function uint64BigEndian(value: bigint): Uint8Array {
  if (value < 0n || value > 0xffff_ffff_ffff_ffffn) throw new Unreadable(`${value} is not a uint64`)
  const out = new Uint8Array(8)
  new DataView(out.buffer).setBigUint64(0, value)
  return out
}

export function readUint64BigEndian(bytes: Uint8Array, offset = 0): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigUint64(offset)
}

export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return new Uint8Array(hashOnce('sha256', parts[0]!, 'buffer'))
  const hash = createHash('sha256')
  for (const p of parts) hash.update(p)
  return new Uint8Array(hash.digest())
}

import { type Address, checkAddress } from '../../../core/address.ts'

export const ZERO = 0n
/** Bytes of a word. */
export const WORD = 32

const LOW = (1n << 64n) - 1n
const scratchBytes = new Uint8Array(WORD)
const scratch = new DataView(scratchBytes.buffer)

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The word at `offset`, big-endian. */
export const readWord = (view: DataView, offset: number): bigint =>
  (view.getBigUint64(offset) << 192n) |
  (view.getBigUint64(offset + 8) << 128n) |
  (view.getBigUint64(offset + 16) << 64n) |
  view.getBigUint64(offset + 24)

/** Writes a word, 0 … 2^256−1, at `offset`. */
export function writeWord(view: DataView, offset: number, word: bigint): void {
  view.setBigUint64(offset + 24, word & LOW)
  view.setBigUint64(offset + 16, (word >> 64n) & LOW)
  view.setBigUint64(offset + 8, (word >> 128n) & LOW)
  view.setBigUint64(offset, word >> 192n)
}

/** The 32 bytes of a word. */
export function wordBytes(word: bigint): Uint8Array {
  const bytes = new Uint8Array(WORD)
  writeWord(viewOf(bytes), 0, word)
  return bytes
}

/** The word of up to 32 bytes, big-endian. */
export function wordOf(bytes: Uint8Array): bigint {
  if (bytes.length === WORD) return readWord(viewOf(bytes), 0)
  scratchBytes.fill(0)
  scratchBytes.set(bytes, WORD - bytes.length)
  return readWord(scratch, 0)
}

/** The address in a word's last 20 bytes. */
export const addressOfWord = (word: bigint): Address => checkAddress(wordBytes(word).subarray(12))

/** What a length or an offset of memory is taken for where it is beyond any gas. */
export const BEYOND = Number.MAX_SAFE_INTEGER

const MAX_SAFE = BigInt(BEYOND)

/** A word as a number: exact below 2^53 − 1, and that where it is not below. */
export const numberOf = (word: bigint): number => (word < MAX_SAFE ? Number(word) : BEYOND)

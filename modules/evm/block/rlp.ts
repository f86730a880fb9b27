import { fromHex, NO_BYTES } from '../../../core/bytes.ts'

/** The first byte of what is empty, from which that of what is not goes on. */
const BYTES = 0x80
const LIST = 0xc0
/** Longer ones have their length in bytes of its own. */
const MAX_SHORT = 55

/**
 * A string of bytes in RLP. What is written is written here: @ethereumjs/rlp hands a list's items over as arguments, so that
 * where a long list fails is up to the stack (130,000 logs do), and takes up to 2.6 times as long. It reads.
 */
export function encodeBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 1 && bytes[0]! < BYTES) return bytes
  const { out, at } = behindLength(BYTES, bytes.length)
  out.set(bytes, at)
  return out
}

/** A list in RLP, of items that are encoded already. */
export function encodeList(items: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const item of items) length += item.length
  const { out, at } = behindLength(LIST, length)
  let next = at
  for (const item of items) {
    out.set(item, next)
    next += item.length
  }
  return out
}

/** A scalar in RLP: big-endian without leading zeros, and nothing for 0. Throws a RangeError where it is negative. */
export function encodeUint(value: bigint): Uint8Array {
  if (value < 0n) throw new RangeError(`${value} is negative`)
  if (value === 0n) return encodeBytes(NO_BYTES)
  const digits = value.toString(16)
  return encodeBytes(fromHex(digits.length % 2 === 0 ? digits : `0${digits}`))
}

/** Room for a payload of this length, which begins at `at`, behind what says the length. */
function behindLength(kind: number, length: number): { out: Uint8Array; at: number } {
  if (length <= MAX_SHORT) {
    const out = new Uint8Array(1 + length)
    out[0] = kind + length
    return { out, at: 1 }
  }
  let lengthBytes = 1
  for (let rest = length; rest > 255; rest = Math.floor(rest / 256)) lengthBytes++
  const out = new Uint8Array(1 + lengthBytes + length)
  out[0] = kind + MAX_SHORT + lengthBytes
  for (let i = lengthBytes, rest = length; i > 0; i--, rest = Math.floor(rest / 256)) out[i] = rest % 256
  return { out, at: 1 + lengthBytes }
}

import { Unreadable } from '../../../core/error.ts'

/** An item of a list, as it stands in the bytes. */
export interface RlpItem {
  readonly isList: boolean
  /** What is in it: of a list, its items one after the other. */
  readonly payload: Uint8Array
  /** With its prefix. */
  readonly raw: Uint8Array
}

const malformed = (what: string): Unreadable => new Unreadable(`malformed RLP: ${what}`)

/** The item at `at`. Only the shortest form of a length is taken, so that an item has one encoding. */
function readItem(bytes: Uint8Array, at: number): RlpItem {
  const prefix = bytes[at]!
  if (prefix < 0x80) {
    const raw = bytes.subarray(at, at + 1)
    return { isList: false, payload: raw, raw }
  }
  const isList = prefix >= 0xc0
  const short = prefix - (isList ? 0xc0 : 0x80)
  let start = at + 1
  let length = short
  if (short > 55) {
    const digits = short - 55
    if (digits > 6 || start + digits > bytes.length) throw malformed('a length is cut off')
    if (bytes[start] === 0) throw malformed('a length begins with zero')
    length = 0
    for (let i = 0; i < digits; i++) length = length * 256 + bytes[start + i]!
    if (length < 56) throw malformed('a length is not in its shortest form')
    start += digits
  }
  const end = start + length
  if (end > bytes.length) throw malformed('an item is cut off')
  const payload = bytes.subarray(start, end)
  if (!isList && length === 1 && payload[0]! < 0x80) throw malformed('a byte is not in its shortest form')
  return { isList, payload, raw: bytes.subarray(at, end) }
}

/** The items that stand one after the other in `payload`; no more than `most` of them. */
export function readItems(payload: Uint8Array, most = Number.POSITIVE_INFINITY): RlpItem[] {
  const items: RlpItem[] = []
  for (let at = 0; at < payload.length; ) {
    if (items.length === most) throw malformed(`more than ${most} items`)
    const item = readItem(payload, at)
    items.push(item)
    at += item.raw.length
  }
  return items
}

/** The items of a list that is all of `bytes`. */
export function readList(bytes: Uint8Array, most?: number): RlpItem[] {
  if (bytes.length === 0) throw malformed('there is nothing')
  const list = readItem(bytes, 0)
  if (list.raw.length !== bytes.length) throw malformed('there is more behind the end')
  return itemsOf(list, most)
}

/** The items of a list. */
export function itemsOf(item: RlpItem, most?: number): RlpItem[] {
  if (!item.isList) throw malformed('bytes stand where a list is meant')
  return readItems(item.payload, most)
}

/** The bytes of an item: exactly `length`, where that is given. */
export function bytesOf(item: RlpItem, length?: number): Uint8Array {
  if (item.isList) throw malformed('a list stands where bytes are meant')
  if (length !== undefined && item.payload.length !== length) throw malformed(`${length} bytes are meant`)
  return item.payload
}

/** A number in the fewest bytes, of `maxBytes` at most. */
export function numberOf(item: RlpItem, maxBytes = 32): bigint {
  const bytes = bytesOf(item)
  if (bytes.length > maxBytes) throw malformed(`a number has more than ${maxBytes} bytes`)
  if (bytes[0] === 0) throw malformed('a number begins with zero')
  let value = 0n
  for (const byte of bytes) value = (value << 8n) | BigInt(byte)
  return value
}

/** The prefix of a list whose items take `length` bytes. */
export function listPrefix(length: number): Uint8Array {
  if (length < 56) return Uint8Array.of(0xc0 + length)
  const digits: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256)
  return Uint8Array.from([0xf7 + digits.length, ...digits])
}

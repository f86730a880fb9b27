/** Bytes that `value` (an integer, 0 ≤ value < 2^53) takes as an unsigned varint. */
export function varintLength(value: number): number {
  let length = 1
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) length++
  return length
}

/** Writes `value` (an integer, 0 ≤ value < 2^53) as an unsigned varint at `at`; returns the offset after it. */
export function writeVarint(target: Uint8Array, at: number, value: number): number {
  let position = at
  let rest = value
  while (rest >= 0x80) {
    target[position++] = (rest % 0x80) | 0x80
    rest = Math.floor(rest / 0x80)
  }
  target[position++] = rest
  return position
}

/** An unsigned varint of at most five bytes: its value and the offset after it. */
export interface Varint {
  readonly value: number
  readonly end: number
}

/**
 * Reads an unsigned varint at `at`. `undefined` where the bytes end before it does, `'overlong'` where it takes
 * more than five bytes.
 */
export function readVarint(source: Uint8Array, at: number): Varint | undefined | 'overlong' {
  let value = 0
  let scale = 1
  for (let position = at; position < at + 5; position++) {
    const byte = source[position]
    if (byte === undefined) return undefined
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return { value, end: position + 1 }
    scale *= 0x80
  }
  return 'overlong'
}

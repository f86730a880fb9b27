/** An append-only buffer. Slices taken from it stay valid when it grows. */
export class ByteWriter {
  bytes: Buffer
  length = 0

  constructor(capacity: number) {
    this.bytes = Buffer.allocUnsafeSlow(capacity)
  }

  reserve(count: number): void {
    const needed = this.length + count
    if (needed <= this.bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2))
    grown.set(this.bytes.subarray(0, this.length))
    this.bytes = grown
  }

  /** Lets go of a buffer that has grown beyond `capacity`, and of what is in it. */
  shrink(capacity: number): void {
    if (this.bytes.length > capacity) this.bytes = Buffer.allocUnsafeSlow(capacity)
    this.length = 0
  }

  byte(value: number): void {
    this.reserve(1)
    this.bytes[this.length++] = value
  }

  /** A base-128 varint of an integer in [0, 2^53). */
  uvarint(value: number): void {
    this.reserve(8)
    let rest = value
    while (rest >= 0x80000000) {
      this.bytes[this.length++] = (rest % 128) | 0x80
      rest = Math.floor(rest / 128)
    }
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.bytes[this.length++] = rest
  }

  copy(source: Uint8Array, start: number, end: number): void {
    const count = end - start
    this.reserve(count)
    const { bytes, length } = this
    if (count > 128) bytes.set(source.subarray(start, end), length)
    else for (let i = 0; i < count; i++) bytes[length + i] = source[start + i]!
    this.length += count
  }

  append(source: Uint8Array): void {
    this.copy(source, 0, source.length)
  }

  slice(start: number): Buffer {
    return this.bytes.subarray(start, this.length)
  }
}

/** Reads what a `ByteWriter` wrote. Reading past the end throws RangeError. */
export class ByteReader {
  readonly bytes: Uint8Array
  offset: number
  readonly end: number

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.bytes = bytes
    this.offset = start
    this.end = end
  }

  byte(): number {
    if (this.offset >= this.end) throw new RangeError('read past the end')
    return this.bytes[this.offset++]!
  }

  uvarint(): number {
    let value = 0
    let scale = 1
    for (;;) {
      const byte = this.byte()
      value += (byte & 0x7f) * scale
      if (byte < 0x80) break
      scale *= 128
    }
    if (value > Number.MAX_SAFE_INTEGER) throw new RangeError('varint beyond 2^53')
    return value
  }

  /** A view, not a copy. */
  take(count: number): Uint8Array {
    if (this.offset + count > this.end) throw new RangeError('read past the end')
    this.offset += count
    return this.bytes.subarray(this.offset - count, this.offset)
  }
}

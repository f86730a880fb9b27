import { ProtocolError } from './errors.ts'
import { readVarint } from './varint.ts'

const nothing = new Uint8Array(0)

/**
 * Cuts a byte stream into frames: an unsigned varint length, then that many bytes. However the stream is split
 * into chunks, the same frames come out. A frame's bytes are copied only where it spans chunks.
 */
export class FrameReader {
  readonly #maxFrameBytes: number
  #current: Uint8Array = nothing
  #offset = 0
  #later: Uint8Array[] = []
  #laterBytes = 0

  /** @param maxFrameBytes the longest frame's length without its prefix */
  constructor(maxFrameBytes: number) {
    this.#maxFrameBytes = maxFrameBytes
  }

  /** Bytes taken in and not yet given out. */
  get bufferedBytes(): number {
    return this.#current.length - this.#offset + this.#laterBytes
  }

  /** Takes the stream's next bytes, which the caller must not change afterwards. */
  push(bytes: Uint8Array): void {
    // Views on a Buffer are Buffers and several times dearer to make than views on a plain array.
    const chunk = Buffer.isBuffer(bytes)
      ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
      : bytes
    if (this.#offset === this.#current.length && this.#later.length === 0) {
      this.#current = chunk
      this.#offset = 0
      return
    }
    this.#later.push(chunk)
    this.#laterBytes += chunk.length
  }

  /**
   * The next whole frame, without its prefix; `undefined` while it is incomplete.
   * Throws ProtocolError for a frame over the limit as soon as its prefix says so, and for a prefix that is none.
   */
  next(): Uint8Array | undefined {
    let prefix = readVarint(this.#current, this.#offset)
    while (prefix === undefined && this.#later.length > 0) {
      this.#join()
      prefix = readVarint(this.#current, this.#offset)
    }
    if (prefix === undefined) return undefined
    if (prefix === 'overlong') throw new ProtocolError('the frame length is not a varint of at most 5 bytes')
    if (prefix.value > this.#maxFrameBytes) {
      throw new ProtocolError(
        `a frame of ${prefix.value} bytes is over the limit of ${this.#maxFrameBytes} bytes`,
      )
    }
    const prefixBytes = prefix.end - this.#offset
    if (this.bufferedBytes - prefixBytes < prefix.value) return undefined
    if (this.#current.length - prefix.end < prefix.value) this.#join()
    const start = this.#offset + prefixBytes
    this.#offset = start + prefix.value
    return this.#current.subarray(start, this.#offset)
  }

  #join(): void {
    const joined = new Uint8Array(this.bufferedBytes)
    let at = this.#current.length - this.#offset
    joined.set(this.#current.subarray(this.#offset))
    for (const chunk of this.#later) {
      joined.set(chunk, at)
      at += chunk.length
    }
    this.#current = joined
    this.#offset = 0
    this.#later = []
    this.#laterBytes = 0
  }
}

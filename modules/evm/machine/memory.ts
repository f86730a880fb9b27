import { NO_BYTES } from '../../../core/bytes.ts'
import { readWord, viewOf, WORD, writeWord } from './word.ts'

const FIRST_BYTES = 1024

/** A frame's memory. Whoever reads or writes has paid for its growth: `expand` comes first. */
export class Memory {
  /** How far it was paid for, in words. */
  words = 0
  #bytes = NO_BYTES
  #view = viewOf(NO_BYTES)

  /** Bytes that it has, a multiple of 32. */
  get size(): number {
    return this.words * WORD
  }

  /** Grows to so many words. */
  grow(words: number): void {
    this.words = words
    const size = words * WORD
    if (size <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(size, 2 * this.#bytes.length, FIRST_BYTES))
    grown.set(this.#bytes)
    this.#bytes = grown
    this.#view = viewOf(grown)
  }

  word(offset: number): bigint {
    return readWord(this.#view, offset)
  }

  setWord(offset: number, word: bigint): void {
    writeWord(this.#view, offset, word)
  }

  setByte(offset: number, byte: number): void {
    this.#bytes[offset] = byte
  }

  /** The bytes themselves, true until the next write. */
  view(offset: number, length: number): Uint8Array {
    return length === 0 ? NO_BYTES : this.#bytes.subarray(offset, offset + length)
  }

  /** A copy. */
  slice(offset: number, length: number): Uint8Array {
    return length === 0 ? NO_BYTES : this.#bytes.slice(offset, offset + length)
  }

  set(offset: number, bytes: Uint8Array): void {
    this.#bytes.set(bytes, offset)
  }

  /** Writes `length` bytes of `source` from `from` on, and zeros where that has ended. */
  copyFrom(source: Uint8Array, from: number, offset: number, length: number): void {
    const there = Math.max(0, Math.min(length, source.length - from))
    if (there > 0) this.#bytes.set(source.subarray(from, from + there), offset)
    this.#bytes.fill(0, offset + there, offset + length)
  }

  move(to: number, from: number, length: number): void {
    this.#bytes.copyWithin(to, from, from + length)
  }
}

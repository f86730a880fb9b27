import { Halt, halts } from './halt.ts'

const MAX_HEIGHT = 1024

const underflow = (): Halt => new Halt(halts.stackUnderflow)

/** The stack of a frame: up to 1,024 words, with the methods that the library's instructions call. */
export class Stack {
  readonly #words: bigint[] = []
  length = 0

  push(word: bigint): void {
    if (this.length >= MAX_HEIGHT) throw new Halt(halts.stackOverflow)
    this.#words[this.length++] = word
  }

  pop(): bigint {
    if (this.length < 1) throw underflow()
    return this.#words[--this.length]!
  }

  /** The top words, the topmost first. */
  popN(count: number): bigint[] {
    if (this.length < count) throw underflow()
    const popped: bigint[] = []
    for (let i = 0; i < count; i++) popped.push(this.#words[--this.length]!)
    return popped
  }

  /** The word with so many above it. */
  at(depth: number): bigint {
    if (this.length <= depth) throw underflow()
    return this.#words[this.length - 1 - depth]!
  }

  /** Takes off so many words, which `at` has shown to be there. */
  drop(count: number): void {
    this.length -= count
  }

  /** Pushes a copy of the word at `position`, the topmost being 1. */
  dup(position: number): void {
    if (this.length < position) throw underflow()
    this.push(this.#words[this.length - position]!)
  }

  /** Changes the topmost word and the one with `position` words above it, itself counted. */
  swap(position: number): void {
    if (this.length <= position) throw underflow()
    const top = this.length - 1
    const word = this.#words[top]!
    this.#words[top] = this.#words[top - position]!
    this.#words[top - position] = word
  }

  /** The words, the topmost last. */
  toArray(): bigint[] {
    return this.#words.slice(0, this.length)
  }
}

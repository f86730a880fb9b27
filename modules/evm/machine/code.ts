import { NO_BYTES } from '../../../core/bytes.ts'
import { keyOf, memory } from '../../../core/remembered.ts'

const JUMPDEST = 0x5b
const PUSH1 = 0x60
const PUSH32 = 0x7f

/** A program, with the places that may be jumped to. */
export class Code {
  readonly bytes: Uint8Array
  /** A bit a byte of the program: whether it is a JUMPDEST that is no PUSH's data. */
  readonly #destinations: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.#destinations = new Uint8Array((bytes.length + 7) >> 3)
    for (let i = 0; i < bytes.length; i++) {
      const op = bytes[i]!
      if (op === JUMPDEST) this.#destinations[i >> 3]! |= 1 << (i & 7)
      else if (op >= PUSH1 && op <= PUSH32) i += op - PUSH1 + 1
    }
  }

  isDestination(place: number): boolean {
    return place < this.bytes.length && ((this.#destinations[place >> 3]! >> (place & 7)) & 1) === 1
  }
}

export const NO_CODE = new Code(NO_BYTES)

const remembered = memory<Code>(64 * 1024 * 1024, ({ bytes }) => 256 + bytes.length + (bytes.length >> 3))

/** The program under a hash, read with `bytes` where it is not remembered. */
export function codeByHash(hash: Uint8Array, bytes: () => Uint8Array): Code {
  const key = keyOf(hash)
  return remembered.get(key) ?? remembered.set(key, new Code(bytes()))
}

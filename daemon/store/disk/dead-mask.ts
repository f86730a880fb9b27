import { CHUNK_NODES } from './node-chunk.ts'

const BYTES = CHUNK_NODES / 8

/** Which of a chunk's nodes no kept version holds: bit i of byte i >> 3. Places past the last node count as dead. */
export class DeadMask {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array = new Uint8Array(BYTES)) {
    this.bytes = new Uint8Array(bytes)
  }

  /** Of a new chunk with `nodes` nodes. */
  static ofChunk(nodes: number): DeadMask {
    const mask = new DeadMask()
    for (let position = nodes; position < CHUNK_NODES; position++) mask.add(position)
    return mask
  }

  add(position: number): void {
    this.bytes[position >> 3]! |= 1 << (position & 7)
  }

  has(position: number): boolean {
    return (this.bytes[position >> 3]! & (1 << (position & 7))) !== 0
  }

  get count(): number {
    let count = 0
    for (const byte of this.bytes) {
      for (let rest = byte; rest !== 0; rest &= rest - 1) count++
    }
    return count
  }

  get isFull(): boolean {
    return this.bytes.every((byte) => byte === 0xff)
  }
}

import { keccak256 } from '../../../core/crypto/keccak.ts'

/** 2048 bits. */
export const BLOOM_BYTES = 256

/** What a contract has logged. */
export interface Log {
  /** 20 bytes. */
  readonly address: Uint8Array
  /** At most 4, of 32 bytes each. */
  readonly topics: readonly Uint8Array[]
  readonly data: Uint8Array
}

/** The bloom filter of logs: of each address and each topic three bits, which 11 bits each of its hash name. */
export function bloomOf(logs: readonly Log[]): Uint8Array {
  const bloom = new Uint8Array(BLOOM_BYTES)
  for (const { address, topics } of logs) {
    add(bloom, address)
    for (const topic of topics) add(bloom, topic)
  }
  return bloom
}

function add(bloom: Uint8Array, entry: Uint8Array): void {
  const hash = keccak256(entry)
  for (let i = 0; i < 6; i += 2) {
    const bit = (hash[i]! % 8) * 256 + hash[i + 1]!
    bloom[BLOOM_BYTES - 1 - (bit >> 3)]! |= 1 << (bit & 7)
  }
}

/** The filter of all that the filters hold: a block's, of those of its receipts. */
export function unionOfBlooms(blooms: readonly Uint8Array[]): Uint8Array {
  const union = new Uint8Array(BLOOM_BYTES)
  for (const bloom of blooms) for (let i = 0; i < BLOOM_BYTES; i++) union[i]! |= bloom[i]!
  return union
}

/** Whether a filter may hold an entry: where it says no, it does not. */
export function bloomHas(bloom: Uint8Array, entry: Uint8Array): boolean {
  const hash = keccak256(entry)
  for (let i = 0; i < 6; i += 2) {
    const bit = (hash[i]! % 8) * 256 + hash[i + 1]!
    if ((bloom[BLOOM_BYTES - 1 - (bit >> 3)]! & (1 << (bit & 7))) === 0) return false
  }
  return true
}

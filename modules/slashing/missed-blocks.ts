import type { Address } from '../../core/address.ts'
import { addressKey, part } from '../../core/collections.ts'
import type { Context } from '../../core/context.ts'
import * as state from './state.ts'

/** A validator's window of blocks is a bitmap in chunks, so that a block writes one small value at most. */
const CHUNK_BITS = 1024

const place = (index: bigint): readonly [chunk: bigint, byte: number, mask: number] => {
  const bit = Number(index % BigInt(CHUNK_BITS))
  return [index / BigInt(CHUNK_BITS), bit >> 3, 1 << (bit & 7)]
}

/** Whether the block at `index` of the validator's window was missed. */
export function isMissed(ctx: Context, consensus: Address, index: bigint): boolean {
  const [chunk, byte, mask] = place(index)
  const bits = state.missedBlocks.get(ctx, [consensus, chunk])
  return bits !== undefined && (bits[byte]! & mask) !== 0
}

export function setMissed(ctx: Context, consensus: Address, index: bigint, missed: boolean): void {
  const [chunk, byte, mask] = place(index)
  const bits = state.missedBlocks.get(ctx, [consensus, chunk])?.slice() ?? new Uint8Array(CHUNK_BITS >> 3)
  bits[byte] = missed ? bits[byte]! | mask : bits[byte]! & ~mask
  state.missedBlocks.set(ctx, [consensus, chunk], bits)
}

export function forgetMissed(ctx: Context, consensus: Address): void {
  for (const [key] of [...state.missedBlocks.entries(ctx, part(addressKey, consensus))])
    state.missedBlocks.delete(ctx, key)
}

/** Indexes of the blocks missed, ascending. */
export function* missedIndexes(ctx: Context, consensus: Address): IterableIterator<bigint> {
  for (const [[, chunk], bits] of state.missedBlocks.entries(ctx, part(addressKey, consensus)))
    for (let bit = 0; bit < CHUNK_BITS; bit++)
      if ((bits[bit >> 3]! & (1 << (bit & 7))) !== 0) yield chunk * BigInt(CHUNK_BITS) + BigInt(bit)
}

/** Marks of the last 64 blocks, the newest in the lowest bit. */
export type BitRing = bigint

export const push = (ring: BitRing, mark: boolean): BitRing =>
  BigInt.asUintN(64, ring << 1n) | (mark ? 1n : 0n)

/** How many marks are set. */
export const count = (ring: BitRing): number =>
  popcount(Number(ring & 0xffffffffn)) + popcount(Number(ring >> 32n))

function popcount(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555)
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333)
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

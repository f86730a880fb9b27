/** A bit for each of the last 64 blocks, the newest lowest. */
export type BitRing = bigint

export function push(ring: BitRing, bit: boolean): BitRing {
  // Most rings are empty.
  if (ring === 0n) return bit ? 1n : 0n
  return BigInt.asUintN(64, ring << 1n) | (bit ? 1n : 0n)
}

/** How many bits are set. */
export function count(ring: BitRing): number {
  if (ring === 0n) return 0
  return popcount(Number(ring & 0xffffffffn)) + popcount(Number(ring >> 32n))
}

function popcount(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555)
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333)
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

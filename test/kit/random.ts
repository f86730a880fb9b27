/** A source of numbers that a seed repeats (mulberry32). `random(n)` gives a whole number from 0 to n - 1. */
export type Random = (below: number) => number

export function randomness(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

export const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)]!

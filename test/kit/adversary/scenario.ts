import { pick, type Random } from '../random.ts'

export const SIZES = [4, 5, 6, 7, 10, 13, 20, 40, 100, 175] as const
export const SPREADS = ['equal', 'zipf', 'whale', 'great whale'] as const

/** A network's number of validators and how power is spread over them. */
export interface Shape {
  readonly size: number
  readonly spread: (typeof SPREADS)[number]
}

/** Powers by number. A whale has 30 % and may be of a gang, a great one 45 %, and may not. */
export function powersOf({ size, spread }: Shape): bigint[] {
  if (spread === 'equal') return new Array<bigint>(size).fill(100n)
  if (spread === 'zipf') return Array.from({ length: size }, (_, i) => BigInt(Math.ceil(10_000 / (i + 1))))
  const others = BigInt(size - 1)
  const whale = spread === 'whale' ? (3_000n * others) / 7n : ((4_500n * others) / 55n) * 10n
  return [whale, ...new Array<bigint>(size - 1).fill(1_000n)]
}

/** What one adversary plays in. */
export interface Scenario {
  readonly shape: Shape
  readonly gang: readonly number[]
  /** ‰ of the power that the gang has. */
  readonly share: number
  /** An honest validator that is away for a while, as when it is restarted. */
  readonly restarting: number | undefined
  readonly away: readonly (readonly [from: number, to: number])[]
  /** An honest validator whose processor is busy throughout. */
  readonly busy: number | undefined
  /** Whether the chain has just begun: the judges know nobody. */
  readonly fresh: boolean
  readonly blocks: number
}

/** What a gang may have: less than a third, or just more than 34 %. */
export type Strength = 'below a third' | 'beyond a third'

/** A restart is of 18 blocks at most: with the slots of 5 s a minute and a half. */
const LONGEST_RESTART = 18

export function anyScenario(random: Random, strength: Strength): Scenario {
  for (;;) {
    const shape = anyShape(random, strength)
    const powers = powersOf(shape)
    const total = powers.reduce((sum, power) => sum + power, 0n)
    const gang =
      strength === 'below a third' ? gangBelow(powers, total, random) : gangFrom34(powers, total, random)
    const held = gang.reduce((sum, i) => sum + powers[i]!, 0n)
    const share = Number((1000n * held) / total)
    if (gang.length === 0 || (strength === 'beyond a third' && share > 360)) continue
    const honest = powers.map((_, i) => i).filter((i) => !gang.includes(i))
    const blocks = shape.size > 20 ? 56 : pick(random, [64, 96, 96, 240])
    const restarting = random(2) === 0 ? pick(random, honest) : undefined
    const from = 20 + random(40)
    const length = 4 + random(LONGEST_RESTART - 3)
    return {
      shape,
      gang,
      share,
      restarting,
      away: [[from, from + length]],
      busy:
        random(3) === 0
          ? pick(
              random,
              honest.filter((i) => i !== restarting),
            )
          : undefined,
      fresh: random(8) === 0,
      blocks,
    }
  }
}

function anyShape(random: Random, strength: Strength): Shape {
  // Large networks cost most.
  const sizes = random(12) === 0 ? SIZES : SIZES.filter((size) => size <= 20)
  const spread = pick(random, SPREADS)
  if (strength === 'beyond a third') return { size: pick(random, [20, 40, 13, 6]), spread }
  return { size: pick(random, sizes), spread }
}

/** As many as stay below a third in a random order, or a part of them. */
function gangBelow(powers: readonly bigint[], total: bigint, random: Random): number[] {
  const most = random(4) === 0 ? (total * BigInt(1 + random(32))) / 96n : total
  const gang: number[] = []
  let held = 0n
  for (const i of shuffled(powers.length, random)) {
    const next = held + powers[i]!
    if (3n * next >= total || next > most) continue
    gang.push(i)
    held = next
  }
  return gang
}

/** As few as have 34 % in a random order. */
function gangFrom34(powers: readonly bigint[], total: bigint, random: Random): number[] {
  const gang: number[] = []
  let held = 0n
  for (const i of shuffled(powers.length, random)) {
    if (100n * held >= 34n * total) break
    gang.push(i)
    held += powers[i]!
  }
  return gang
}

function shuffled(count: number, random: Random): number[] {
  const list = Array.from({ length: count }, (_, i) => i)
  for (let i = count - 1; i > 0; i--) {
    const j = random(i + 1)
    ;[list[i], list[j]] = [list[j]!, list[i]!]
  }
  return list
}

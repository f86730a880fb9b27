import { toLatin1 } from '../../core/bytes.ts'
import type { Roster, ValidatorRecord } from '../../proto/gen/fornax/classifier/v1/classifier.ts'
import { type BitWindow, isSet, placeOf, WINDOW } from './bit-window.ts'

/** Whoever proposed of late, with the power that it has now and its blocks' places in windows. */
interface Proposer {
  readonly id: string
  readonly power: bigint
  readonly places: number[]
}

/** The proposers by whom missing votes are told: who proposed which block, and all power that there is. */
export interface Witnesses {
  readonly proposers: readonly Proposer[]
  /** For each place in a window, which of `proposers` made the block; -1 for nobody. */
  readonly makers: Int16Array
  /** Of the newest block. */
  readonly newest: number
  readonly totalPower: bigint
}

/** Powers are those of the last vote: stake that moved from one proposer to another within the window cannot speak twice. */
export function witnessesOf(height: bigint, roster: Readonly<Roster>): Witnesses {
  const powers = new Map<string, bigint>()
  let totalPower = 0n
  for (const { address, power, leftAt } of roster.records) {
    if (leftAt !== 0n) continue
    powers.set(toLatin1(address), power)
    totalPower += power
  }
  const makers = new Int16Array(WINDOW).fill(-1)
  const numbers = new Map<string, number>()
  const proposers: Proposer[] = []
  for (const [i, address] of roster.proposers.entries()) {
    const id = toLatin1(address)
    let number = numbers.get(id)
    if (number === undefined) {
      number = proposers.push({ id, power: powers.get(id) ?? 0n, places: [] }) - 1
      numbers.set(id, number)
    }
    const place = placeOf(height - BigInt(roster.proposers.length - 1 - i))
    makers[place] = number
    proposers[number]!.places.push(place)
  }
  return { proposers, makers, newest: placeOf(height), totalPower }
}

interface Count {
  readonly power: bigint
  readonly count: number
}

/** Those with most for their power first; how those with the same are ordered makes no difference. */
function byRate(a: Count, b: Count): number {
  if (a.power === b.power) return b.count - a.count
  const [x, y] = [BigInt(a.count) * b.power, BigInt(b.count) * a.power]
  return x === y ? 0 : x > y ? -1 : 1
}

/**
 * The rest of the counts once those of anybody with up to a third of all power are taken away, whoever they are: the
 * ones with most for their power, and of the last one its part, rounded up. Less than a third of power cannot make up any of it.
 */
function beyondAThird(told: readonly Count[], totalPower: bigint): number {
  let room = totalPower / 3n
  if (told.reduce((sum, { power }) => sum + power, 0n) <= room) return 0
  let sum = 0
  for (const { power, count } of told.toSorted(byRate)) {
    const taken = power < room ? power : room
    room -= taken
    sum += count - Number((BigInt(count) * taken + power - 1n) / power)
  }
  return sum
}

/** Of the `last` blocks, those that a validator lost, its vote missing or nil, though a third of the power is not believed. */
export function votesLost(
  { missedWindow, nilWindow }: Readonly<ValidatorRecord>,
  { proposers, makers, newest, totalPower }: Witnesses,
  last: number = WINDOW,
): number {
  if (missedWindow.length === 0 && nilWindow.length === 0) return 0
  const counts = new Uint16Array(proposers.length)
  for (let byte = 0; byte < WINDOW >> 3; byte++)
    for (let bits = (missedWindow[byte] ?? 0) | (nilWindow[byte] ?? 0); bits !== 0; bits &= bits - 1) {
      const place = (byte << 3) + 31 - Math.clz32(bits & -bits)
      const maker = makers[place]!
      if (maker >= 0 && ((newest - place) & (WINDOW - 1)) < last) counts[maker]!++
    }
  const told: Count[] = []
  for (let i = 0; i < counts.length; i++) {
    const count = counts[i]!
    if (count > 0 && proposers[i]!.power > 0n) told.push({ power: proposers[i]!.power, count })
  }
  return beyondAThird(told, totalPower)
}

export interface LeftOut {
  /** ‰ of all power that one block of the proposer's leaves out, besides what a third of the power could have withheld. */
  readonly permille: number
  /** Power of voters that are in hardly any of its blocks, and in those of others: they say one thing, and it another. */
  readonly disputed: bigint
}

/** Blocks of a proposer from which its voters can be said to be the same ones. */
const LEAST_BLOCKS = 4

/** Missing from a block, and not from the one before. */
const isLost = (window: BitWindow, place: number): boolean =>
  isSet(window, place) && !isSet(window, (place + WINDOW - 1) % WINDOW)

/** Counts the votes that are missing from a proposer's own blocks and were there in the block before. */
export function votesLeftOut(
  proposer: Readonly<ValidatorRecord>,
  { records }: Readonly<Roster>,
  { proposers, totalPower }: Witnesses,
): LeftOut {
  const id = toLatin1(proposer.address)
  const own = proposers.find((p) => p.id === id)?.places ?? []
  if (own.length < 2) return { permille: 0, disputed: 0n }
  const counts: Count[] = []
  let disputed = 0n
  for (const { leftAt, power, missedWindow } of records) {
    if (leftAt !== 0n || missedWindow.length === 0) continue
    const count = own.filter((place) => isLost(missedWindow, place)).length
    counts.push({ power, count })
    if (own.length < LEAST_BLOCKS || 4 * count < 3 * own.length) continue
    const elsewhere = proposers.flatMap((p) => (p.id === id ? [] : p.places))
    const missed = elsewhere.filter((place) => isSet(missedWindow, place)).length
    if (8 * missed <= elsewhere.length) disputed += power
  }
  // By power and not by votes: a count of one voter's is its power times its blocks.
  const weighed = leftOverOf(counts, totalPower)
  const whole = totalPower * BigInt(own.length)
  return { permille: whole === 0n ? 0 : Number((1000n * weighed) / whole), disputed }
}

/** Power times blocks that is left out besides the third whose votes are most often. */
function leftOverOf(counts: readonly Count[], totalPower: bigint): bigint {
  let room = totalPower / 3n
  let sum = 0n
  for (const { power, count } of counts.toSorted((a, b) => b.count - a.count)) {
    const taken = power < room ? power : room
    room -= taken
    sum += (power - taken) * BigInt(count)
  }
  return sum
}

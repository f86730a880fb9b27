import { toLatin1 } from '../../core/bytes.ts'
import type { Roster, ValidatorRecord } from '../../proto/gen/fornax/classifier/v1/classifier.ts'
import { type BitWindow, isMarked, placeOf, WINDOW } from './bit-window.ts'

/** Whoever proposed of late, with its power and its blocks: how many blocks ago, and their places in windows. */
interface Proposer {
  readonly id: string
  power: bigint
  readonly blocks: { readonly ago: number; readonly place: number }[]
}

/** What stands behind the records: who proposed which block, and all power that there is. */
export interface Witnesses {
  readonly proposers: readonly Proposer[]
  /** Of the set, or of the proposers where they have more. */
  readonly totalPower: bigint
}

export function witnessesOf(height: bigint, { records, proposals }: Readonly<Roster>): Witnesses {
  const proposers = new Map<string, Proposer>()
  for (const [i, { proposer, power }] of proposals.entries()) {
    const id = toLatin1(proposer)
    const known = proposers.get(id) ?? { id, power, blocks: [] }
    known.power = power
    const ago = proposals.length - 1 - i
    known.blocks.push({ ago, place: placeOf(height - BigInt(ago)) })
    proposers.set(id, known)
  }
  const all = [...proposers.values()]
  const inSet = records.reduce((sum, r) => (r.leftAt === 0n ? sum + r.power : sum), 0n)
  const proposing = all.reduce((sum, { power }) => sum + power, 0n)
  const isLess = inSet < proposing
  return { proposers: all, totalPower: isLess ? proposing : inSet }
}

interface Count {
  readonly power: bigint
  readonly count: number
}

/**
 * What is left of counts where those of anybody with up to a third of all power are taken away, whoever they are: the
 * ones with most for their power, and of the last one its part, rounded up. Less than a third of power cannot make up any of it.
 */
function beyondAThird(counts: readonly Count[], totalPower: bigint): number {
  const left = counts
    .filter(({ count, power }) => count > 0 && power > 0n)
    .sort((a, b) => {
      const [x, y] = [BigInt(a.count) * b.power, BigInt(b.count) * a.power]
      return x === y ? 0 : x > y ? -1 : 1
    })
  let budget = totalPower / 3n
  let sum = 0
  for (const { power, count } of left) {
    const taken = power < budget ? power : budget
    budget -= taken
    sum += count - Number((BigInt(count) * taken + power - 1n) / power)
  }
  return sum
}

/** How many marks of the `last` blocks are at heights whose proposers no third of the power could be. */
function witnessed(window: BitWindow, { proposers, totalPower }: Witnesses, last: number): number {
  if (window.length === 0) return 0
  const counts = proposers.map(({ power, blocks }) => ({
    power,
    count: blocks.filter(({ ago, place }) => ago < last && isMarked(window, place)).length,
  }))
  return beyondAThird(counts, totalPower)
}

/** Votes of the `last` blocks that were missing or for nil, the more frequent of the two, and nobody else's doing. */
export function votesWithheld(
  { missedWindow, nilWindow }: Readonly<ValidatorRecord>,
  witnesses: Witnesses,
  last: number = WINDOW,
): number {
  return Math.max(witnessed(missedWindow, witnesses, last), witnessed(nilWindow, witnesses, last))
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
  isMarked(window, place) && !isMarked(window, (place + WINDOW - 1) % WINDOW)

/** What the votes say that are missing from a proposer's own blocks and were there in the block before. */
export function votesLeftOut(
  proposer: Readonly<ValidatorRecord>,
  { records }: Readonly<Roster>,
  { proposers, totalPower }: Witnesses,
): LeftOut {
  const id = toLatin1(proposer.address)
  const own = proposers.find((p) => p.id === id)?.blocks ?? []
  if (own.length < 2) return { permille: 0, disputed: 0n }
  const counts: Count[] = []
  let disputed = 0n
  for (const { leftAt, power, missedWindow } of records) {
    if (leftAt !== 0n || missedWindow.length === 0) continue
    const count = own.filter(({ place }) => isLost(missedWindow, place)).length
    counts.push({ power, count })
    if (own.length < LEAST_BLOCKS || 4 * count < 3 * own.length) continue
    const elsewhere = proposers.flatMap((p) => (p.id === id ? [] : p.blocks))
    const missed = elsewhere.filter(({ place }) => isMarked(missedWindow, place)).length
    if (8 * missed <= elsewhere.length) disputed += power
  }
  // By power and not by votes: a count of one voter's is its power times its blocks.
  const weighed = leftOverOf(counts, totalPower)
  const whole = totalPower * BigInt(own.length)
  return { permille: whole === 0n ? 0 : Number((1000n * weighed) / whole), disputed }
}

/** Power times blocks that is left out besides the third whose votes are most often. */
function leftOverOf(counts: readonly Count[], totalPower: bigint): bigint {
  let budget = totalPower / 3n
  let sum = 0n
  for (const { power, count } of counts.toSorted((a, b) => b.count - a.count)) {
    const taken = power < budget ? power : budget
    budget -= taken
    sum += (power - taken) * BigInt(count)
  }
  return sum
}

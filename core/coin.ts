import { panic, rethrowExhaustion, sdk } from './error.ts'

/** An amount of one denomination, in its smallest unit, as messages carry it. */
export interface Coin {
  readonly denom: string
  readonly amount: string
}

const DENOM = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/
const DIGITS = /^(?:0|[1-9][0-9]*)$/
const MAX_INT_BITS = 256

export const isDenom = (denom: string): boolean => DENOM.test(denom)

/** A non-negative `math.Int`: decimal digits, at most 256 bits. Throws sdk/10. */
export function parseAmount(text: string): bigint {
  if (!DIGITS.test(text) || text.length > 78)
    throw sdk.invalidCoins(`invalid amount ${JSON.stringify(text.slice(0, 90))}`)
  const value = BigInt(text)
  if (value >> BigInt(MAX_INT_BITS) !== 0n) throw sdk.invalidCoins('amount out of range')
  return value
}

/**
 * Refuses coins that are unsorted, repeated, not positive or badly named, as `Coins.Validate`. Throws sdk/10, and
 * undefined/111222 for an amount that is missing.
 */
export function checkCoins(coins: readonly Coin[]): void {
  let last = ''
  for (const { denom, amount } of coins) {
    if (!isDenom(denom)) throw sdk.invalidCoins(`invalid denom: ${denom}`)
    if (denom === last) throw sdk.invalidCoins(`duplicate denomination ${denom}`)
    if (denom < last) throw sdk.invalidCoins(`denomination ${denom} is not sorted`)
    if (amount === '') throw panic(`the amount of ${denom} is missing`)
    if (parseAmount(amount) === 0n) throw sdk.invalidCoins(`coin ${amount}${denom} amount is not positive`)
    last = denom
  }
}

/** Whether the coins are sorted, distinct, positive and well named. */
export function areValidCoins(coins: readonly Coin[]): boolean {
  try {
    checkCoins(coins)
    return true
  } catch (error) {
    rethrowExhaustion(error)
    return false
  }
}

export const amountOf = (coins: readonly Coin[], denom: string): bigint =>
  BigInt(coins.find((c) => c.denom === denom)?.amount ?? 0)

/** Whether `coins` hold at least as much of each denomination of `needed` (`IsAllGTE`). */
export const coverCoins = (coins: readonly Coin[], needed: readonly Coin[]): boolean =>
  needed.every(({ denom, amount }) => amountOf(coins, denom) >= BigInt(amount))

/** `1a,2b`, as the SDK prints coins in events. */
export const formatCoins = (coins: readonly Coin[]): string => coins.map((c) => c.amount + c.denom).join(',')

/** The sum, sorted by denomination, without zeros. */
export const addCoins = (...lists: readonly (readonly Coin[])[]): Coin[] => sumCoins(lists)

/** The same for a list of any length: as arguments it would take the stack. */
export function sumCoins(lists: Iterable<readonly Coin[]>): Coin[] {
  const sums = new Map<string, bigint>()
  for (const list of lists)
    for (const { denom, amount } of list) sums.set(denom, (sums.get(denom) ?? 0n) + BigInt(amount))
  return [...sums]
    .filter(([, n]) => n !== 0n)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([denom, n]) => ({ denom, amount: n.toString() }))
}

const FRX = /^\s*([0-9]{1,60})(?:\.([0-9]{1,60}))?\s*frx\s*$/i
const FRX_PLACES = 18

/** An amount as people type it: `1.5frx` → `1500000000000000000afrx`; any other text stays. Throws sdk/10 below 1afrx. */
export function inSmallestUnit(text: string): string {
  const [, whole, fraction = ''] = FRX.exec(text) ?? []
  if (whole === undefined) return text
  if (fraction.length > FRX_PLACES)
    throw sdk.invalidCoins(
      `${text.trim()} is finer than 1afrx: an amount of FRX has at most ${FRX_PLACES} decimal places`,
    )
  return `${BigInt(whole + fraction.padEnd(FRX_PLACES, '0'))}afrx`
}

/** `10afrx,5ibc/AB…`, or `1.5frx`, in any order. Throws sdk/10 on anything malformed. */
export function parseCoins(typed: string): Coin[] {
  if (typed.trim() === '') return []
  const coins = typed.split(',').map((text) => {
    const piece = inSmallestUnit(text)
    const match = /^\s*([0-9]+)\s*([a-zA-Z][a-zA-Z0-9/:._-]*)\s*$/.exec(piece)
    if (match === null) throw sdk.invalidCoins(`invalid coin expression: ${piece.trim()}`)
    return { amount: BigInt(match[1]!).toString(), denom: match[2]! }
  })
  coins.sort((a, b) => (a.denom < b.denom ? -1 : 1))
  checkCoins(coins)
  return coins
}

/**
 * Amounts of several denominations in decimals, as the SDK's `DecCoins`: sorted by denomination, without zeros. Every
 * function answers such a list, and takes none but such.
 */
import type { Coin } from './coin.ts'
import type { Dec } from './dec.ts'
import * as dec from './dec.ts'
import { decimalFromAtomics } from './decimal-text.ts'
import { panic } from './error.ts'

/** `amount` is in units of 10^-18, as messages carry it. */
export interface DecCoin {
  readonly denom: string
  readonly amount: string
}

type DecCoins = readonly DecCoin[]

const amountOf = (coins: DecCoins, denom: string): Dec =>
  BigInt(coins.find((c) => c.denom === denom)?.amount ?? 0)

function fromSums(sums: ReadonlyMap<string, Dec>): DecCoin[] {
  return [...sums]
    .filter(([, amount]) => amount !== 0n)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([denom, amount]) => ({ denom, amount: amount.toString() }))
}

const mapAmounts = (coins: DecCoins, change: (amount: Dec, denom: string) => Dec): DecCoin[] =>
  fromSums(new Map(coins.map(({ denom, amount }) => [denom, change(BigInt(amount), denom)])))

export const addDecCoins = (...lists: readonly DecCoins[]): DecCoin[] => sumDecCoins(lists)

/** The same for a list of any length: as arguments it would take the stack. */
export function sumDecCoins(lists: Iterable<DecCoins>): DecCoin[] {
  const sums = new Map<string, Dec>()
  for (const list of lists)
    for (const { denom, amount } of list) sums.set(denom, dec.add(sums.get(denom) ?? 0n, BigInt(amount)))
  return fromSums(sums)
}

/** `coins` less `less`; nothing where an amount would be negative. */
export function trySubDecCoins(coins: DecCoins, less: DecCoins): DecCoin[] | undefined {
  const left = addDecCoins(
    coins,
    less.map(({ denom, amount }) => ({ denom, amount: (-BigInt(amount)).toString() })),
  )
  return isAnyNegative(left) ? undefined : left
}

/** The same. Throws undefined/111222 where an amount would be negative, as the SDK panics. */
export function subDecCoins(coins: DecCoins, less: DecCoins): DecCoin[] {
  const left = trySubDecCoins(coins, less)
  if (left === undefined) throw panic('negative coin amount')
  return left
}

export const isAnyNegative = (coins: DecCoins): boolean => coins.some((c) => BigInt(c.amount) < 0n)

/** Rounded to the nearest, halves to the even one. */
export const mulDec = (coins: DecCoins, factor: Dec): DecCoin[] =>
  mapAmounts(coins, (amount) => dec.mul(amount, factor))

export const mulDecTruncate = (coins: DecCoins, factor: Dec): DecCoin[] =>
  mapAmounts(coins, (amount) => dec.mulTruncate(amount, factor))

/** Throws undefined/111222 where `divisor` is zero. */
export const quoDecTruncate = (coins: DecCoins, divisor: Dec): DecCoin[] =>
  mapAmounts(coins, (amount) => dec.quoTruncate(amount, divisor))

/** The smaller amount of each denomination that both have. */
export const intersectDecCoins = (coins: DecCoins, limit: DecCoins): DecCoin[] =>
  mapAmounts(coins, (amount, denom) => dec.min(amount, amountOf(limit, denom)))

/** Whole amounts, and what is left over. */
export function truncateDecCoins(coins: DecCoins): readonly [whole: Coin[], change: DecCoin[]] {
  const whole = coins
    .map(({ denom, amount }) => ({ denom, amount: dec.truncateInt(BigInt(amount)).toString() }))
    .filter((c) => c.amount !== '0')
  return [whole, mapAmounts(coins, (amount) => amount - dec.truncate(amount))]
}

export const decCoinsOf = (coins: readonly Coin[]): DecCoin[] =>
  coins.map(({ denom, amount }) => ({ denom, amount: dec.fromInt(BigInt(amount)).toString() }))

/** `1.500000000000000000a,2.000000000000000000b`, as the SDK prints them in events. */
export const formatDecCoins = (coins: DecCoins): string =>
  coins.map((c) => decimalFromAtomics(c.amount) + c.denom).join(',')

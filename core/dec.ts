/**
 * Decimals of 18 places as integers of 10^-18, with the rounding of the SDK's `math.LegacyDec`: the names are its
 * own, and each step that it rounds is rounded here. Results beyond 315 bits throw undefined/111222, its panic.
 */
import { DECIMAL_ONE, DECIMAL_PLACES } from './decimal-text.ts'
import { panic, unregistered } from './error.ts'

/** Units of 10^-18. */
export type Dec = bigint

export const ONE = DECIMAL_ONE
const HALF = ONE / 2n
const SQUARED = ONE * ONE
const LIMIT = 1n << 315n
const INT_LIMIT = 1n << 256n

function checked(d: Dec): Dec {
  if (d >= LIMIT || d <= -LIMIT) throw panic('Int overflow')
  return d
}

/** Refuses integers beyond 256 bits, as `math.Int`. Throws undefined/111222. */
export function checkedInt(n: bigint): bigint {
  if (n >= INT_LIMIT || n <= -INT_LIMIT) throw panic('Int overflow')
  return n
}

/** Halves go to the even neighbour. */
function chopRound(d: bigint): bigint {
  if (d < 0n) return -chopRound(-d)
  const whole = d / ONE
  const rest = d - whole * ONE
  if (rest < HALF || (rest === HALF && (whole & 1n) === 0n)) return whole
  return whole + 1n
}

/** Upwards for positive numbers, towards zero for negative ones. */
function chopUp(d: bigint): bigint {
  const whole = d / ONE
  return d > 0n && whole * ONE !== d ? whole + 1n : whole
}

function divisor(d: bigint): bigint {
  if (d === 0n) throw panic('division by zero')
  return d
}

const DIGITS_BEFORE_LIMIT = 96

/** Of digits, zeros in front or not; LIMIT where they are too many. */
function sizeOf(digits: string): bigint {
  let zeros = 0
  while (zeros < digits.length - 1 && digits[zeros] === '0') zeros++
  return digits.length - zeros > DIGITS_BEFORE_LIMIT ? LIMIT : BigInt(digits.slice(zeros))
}

/** Reads what `LegacyNewDecFromStr` reads: `0.5`, `-3`, at most 18 places. Throws undefined/1. */
export function parse(text: string): Dec {
  const negative = text.startsWith('-')
  const unsigned = negative ? text.slice(1) : text
  if (unsigned === '') throw unregistered('decimal string cannot be empty')
  const [whole = '', places = '', ...more] = unsigned.split('.')
  if (more.length > 0) throw unregistered('invalid decimal string')
  if (unsigned.includes('.') && (whole === '' || places === '')) throw unregistered('invalid decimal length')
  if (places.length > DECIMAL_PLACES)
    throw unregistered(`value exceeds max precision by ${places.length - DECIMAL_PLACES} decimal places`)
  // Behind the minus sign that is read above, Go's integers take a sign of their own.
  const digits = /^([+-]?)([0-9]+)$/.exec(whole + places.padEnd(DECIMAL_PLACES, '0'))
  if (digits === null) throw unregistered('failed to set decimal string with base 10')
  const size = sizeOf(digits[2]!)
  if (size >= LIMIT) throw unregistered('decimal out of range')
  return negative === (digits[1] === '-') ? size : -size
}

export const fromInt = (n: bigint): Dec => n * ONE
export const add = (a: Dec, b: Dec): Dec => checked(a + b)
export const sub = (a: Dec, b: Dec): Dec => checked(a - b)
export const mul = (a: Dec, b: Dec): Dec => checked(chopRound(a * b))
export const mulTruncate = (a: Dec, b: Dec): Dec => checked((a * b) / ONE)
export const mulInt = (a: Dec, n: bigint): Dec => checked(a * n)
export const quo = (a: Dec, b: Dec): Dec => checked(chopRound((a * SQUARED) / divisor(b)))
export const quoTruncate = (a: Dec, b: Dec): Dec => checked((a * ONE) / divisor(b))
export const quoRoundUp = (a: Dec, b: Dec): Dec => checked(chopUp((a * SQUARED) / divisor(b)))
/** Towards zero. */
export const quoInt = (a: Dec, n: bigint): Dec => a / divisor(n)
/** The whole part. */
export const truncateInt = (d: Dec): bigint => d / ONE
/** The nearest integer, halves to the even one. */
export const roundInt = (d: Dec): bigint => chopRound(d)
/** The whole part as a decimal. */
export const truncate = (d: Dec): Dec => (d / ONE) * ONE
export const ceil = (d: Dec): Dec => chopUp(d) * ONE
export const min = (a: Dec, b: Dec): Dec => (a < b ? a : b)

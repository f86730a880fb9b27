import { type Coin, parseCoins } from '../../core/coin.ts'
import { ChainError } from '../../core/error.ts'
import { FieldError } from './field-error.ts'

const BASE = 'afrx'
const PLACES = 18
const EXAMPLES = '(an amount is such as 1.5frx or 10afrx)'

/** Coins as people type them, such as `1.5frx,10afrx`. Throws FieldError, in words for people. */
export function readAmounts(text: string): Coin[] {
  for (const piece of text.split(',')) requireUnit(piece.trim())
  let coins: Coin[]
  try {
    coins = parseCoins(text)
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    const { message } = error
    throw new FieldError(message.includes(BASE) ? message : `${message} ${EXAMPLES}`)
  }
  for (const { denom } of coins) refuseMistyped(denom)
  return coins
}

function requireUnit(amount: string): void {
  if (/^\d+$/.test(amount))
    throw new FieldError(`${amount} has no unit: write ${amount}frx or ${amount}${BASE}`)
  if (/^\d*\.\d+$/.test(amount)) throw new FieldError(`${amount} has no unit: write ${amount}frx`)
}

/** What only resembles the chain's coin is a slip: it would be another coin, which nobody has. */
function refuseMistyped(denom: string): void {
  if (denom !== BASE && /^[a-z]*frx[a-z]*$/i.test(denom))
    throw new FieldError(`${denom} is no unit: there are frx and ${BASE}, of which 10^${PLACES} are 1 FRX`)
}

/** The denomination that the chain has for one that people name: FRX is counted in afrx. Throws FieldError. */
export function denomOf(text: string): string {
  if (/^frx$/i.test(text)) return BASE
  refuseMistyped(text)
  return text
}

/** The same text with FRX behind amounts of afrx that nobody can read. */
export const withFrx = (text: string): string =>
  text.replace(/(?<![\w.])(\d{13,78})afrx\b/g, (amount, digits: string) => `${amount} (${inFrx(digits)} FRX)`)

function inFrx(digits: string): string {
  const padded = digits.padStart(PLACES + 1, '0')
  const fraction = padded.slice(-PLACES).replace(/0+$/, '')
  return `${BigInt(padded.slice(0, -PLACES))}${fraction === '' ? '' : `.${fraction}`}`
}

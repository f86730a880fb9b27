/** A number in units of a power of ten, rounded to the nearest one, halves upwards. */
export interface FixedPoint {
  readonly units: number
  /** Nothing was rounded. */
  readonly isExact: boolean
}

const MINUS = /^-/
const PARTS = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** The digits without the zeros around them, and how many stood in front. */
function significant(digits: string): { readonly digits: string; readonly zeros: number } {
  let zeros = 0
  while (digits[zeros] === '0') zeros++
  let end = digits.length
  while (end > zeros && digits[end - 1] === '0') end--
  return { digits: digits.slice(zeros, end), zeros }
}

/**
 * Reads a JSON number by its text, exactly, in units of 10^-places; nothing where it is not from 0 to `most`, a whole
 * number with at most 15 digits in these units. However large an exponent is, it costs no more than its digits.
 */
export function fixedPoint(text: string, most: number, places: number): FixedPoint | undefined {
  const [, whole = '', fraction = '', exponent = '0'] = PARTS.exec(text.replace(MINUS, ''))!
  const { digits, zeros } = significant(whole + fraction)
  if (digits === '') return { units: 0, isExact: true }
  if (MINUS.test(text)) return undefined
  const limit = `${most}`.padEnd(`${most}`.length + places, '0')
  // The digits in front of the units' point, of which some may be zeros that are not written; below 0 all are zeros.
  const count = BigInt(whole.length - zeros + places) + BigInt(exponent)
  if (count < 0n) return { units: 0, isExact: false }
  if (count > BigInt(limit.length)) return undefined
  const kept = Number(count)
  const units = Number(digits.slice(0, kept).padEnd(kept, '0'))
  const isExact = digits.length <= kept
  if (units > Number(limit) || (units === Number(limit) && !isExact)) return undefined
  return { units: units + (digits.charAt(kept) >= '5' ? 1 : 0), isExact }
}

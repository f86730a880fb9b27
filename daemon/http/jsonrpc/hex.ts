/** What a value is not, to follow the name of where it stands. */
export class Malformed extends Error {
  override readonly name = 'Malformed'
}

/** The digits behind 0x. Throws Malformed, in the words that clients know from geth. */
export function hexDigits(value: unknown): string {
  if (typeof value !== 'string') throw new Malformed('non-string')
  if (value === '') throw new Malformed('empty hex string')
  if (!/^0x/i.test(value)) throw new Malformed('hex string without 0x prefix')
  if (!/^0x[0-9a-f]*$/i.test(value)) throw new Malformed('invalid hex string')
  return value.slice(2)
}

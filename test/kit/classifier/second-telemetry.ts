/** Figures in bodies of telemetry, by docs/classifier.md alone, in fractions: for `second-classifier.ts`. */

/** A number of at least 0 in JSON's notation, times 10^places, rounded to the nearest integer, halves upwards. */
export function secondFigure(text: string, places: number): bigint {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e')
  const [whole = '', behind = ''] = mantissa.split('.')
  const n = BigInt(`${whole}${behind}`.replace('-', ''))
  const exponent = BigInt(power) - BigInt(behind.length) + BigInt(places)
  // Beyond 2,000 places nothing is left of a number that a body has room for.
  if (n === 0n || exponent < -2_000n) return 0n
  const numerator = exponent > 0n ? n * 10n ** exponent : n
  const denominator = exponent > 0n ? 1n : 10n ** -exponent
  return (2n * numerator + denominator) / (2n * denominator)
}

/** A body's fields, with numbers as they are written. */
export function secondBody(json: string): Record<string, string> {
  const quoted = json.replace(/("(?:\\.|[^\\"])*")|-?\d[\d.eE+-]*/g, (token, text) => text ?? `"${token}"`)
  return JSON.parse(quoted)
}

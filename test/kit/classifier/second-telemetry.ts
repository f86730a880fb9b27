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

/** The figures beside a vote: 2, 4, 4 and 8 bytes, big-endian; nothing where they are not as many, or one is too large. */
export function secondVoteTelemetry(
  bytes: Uint8Array,
): { cpu: number; latencyUs: number; connections: number; netContrib: number } | undefined {
  if (bytes.length !== 18) return undefined
  const number = (from: number, to: number): number =>
    Number(`0x${Buffer.from(bytes.subarray(from, to)).toString('hex')}`)
  const told = {
    cpu: number(0, 2),
    latencyUs: number(2, 6),
    connections: number(6, 10),
    netContrib: number(10, 18),
  }
  const { cpu, latencyUs, connections, netContrib } = told
  return cpu > 1e4 || latencyUs > 6e7 || connections > 1e6 || netContrib > 1e12 ? undefined : told
}

import { expect } from 'chai'
import fc from 'fast-check'
import { formatAddress, VALIDATOR_PREFIX } from '../../../../core/address.ts'
import { utf8 } from '../../../../core/bytes.ts'
import { ChainError } from '../../../../core/error.ts'
import { readTelemetry, TELEMETRY_LIMITS } from '../../../../modules/classifier/api.ts'
import { fixedPoint } from '../../../../modules/classifier/fixed-point.ts'
import { user } from '../../../kit/app/chain.ts'
import { secondBody, secondFigure } from '../../../kit/classifier/second-telemetry.ts'

const { text: node } = user('one')
const PLAIN = { cpu_pct: '1', latency_ms: '2', connections: '3', net_contrib: '4' }
type Name = keyof typeof PLAIN

const bodyOf = (values: Partial<Record<Name, string>>): string =>
  `{"node":"${node}",${Object.entries({ ...PLAIN, ...values })
    .map(([name, value]) => `"${name}":${value}`)
    .join()}}`
const read = (json: string) => readTelemetry(utf8(json)).telemetry
const expectRefusal = (json: string, reason: string): void => {
  expect(() => read(json), json)
    .to.throw(ChainError, reason)
    .with.property('codespace', 'classifier')
}
const figureOf = (name: Name, value: string): bigint => {
  const { cpu, latencyUs, connections, netContrib } = read(bodyOf({ [name]: value }))
  return {
    cpu_pct: BigInt(cpu),
    latency_ms: BigInt(latencyUs),
    connections: BigInt(connections),
    net_contrib: netContrib,
  }[name]
}

/** Whether a JSON number is from 0 to `most`, in fractions. */
function isWithin(text: string, most: number): boolean {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e')
  const [whole = '', behind = ''] = mantissa.replace('-', '').split('.')
  const n = BigInt(whole + behind)
  const exponent = BigInt(power) - BigInt(behind.length)
  if (n === 0n) return true
  if (text.startsWith('-') || exponent > 1_000n) return false
  if (exponent < -1_000n) return true
  return exponent < 0n ? n <= BigInt(most) * 10n ** -exponent : n * 10n ** exponent <= BigInt(most)
}

const digits = (maxLength: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${maxLength}}$`))
const whole = fc.oneof(
  fc.constantFrom('0', '100', '60000', '1000000', '1000000000', '99'),
  digits(12).map((d) => d.replace(/^0+(?=\d)/, '')),
)
const fraction = fc.oneof(
  fc.constant(''),
  fc.constantFrom('.5', '.005', '.0005', '.00499999999999999999999', '.000'),
  digits(30).map((d) => `.${d}`),
)
const exponent = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  fc
    .tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), fc.oneof(digits(2), digits(100)))
    .map((parts) => parts.join('')),
)
const number = fc
  .tuple(fc.constantFrom('', '', '', '-'), whole, fraction, exponent)
  .map((parts) => parts.join(''))

describe('a body of metrics', () => {
  it('name an operator in small letters only: what blocks took does not change', () => {
    const operator = formatAddress(user('one').address, VALIDATOR_PREFIX)
    const of = (name: string) => utf8(bodyOf({}).replace(node, name))
    for (const taken of [node, node.toUpperCase(), operator])
      expect(readTelemetry(of(taken)).node).to.equal(taken)
    expect(() => readTelemetry(of(operator.toUpperCase())))
      .to.throw(ChainError, 'small letters')
      .that.includes({ codespace: 'sdk', code: 7 })
  })

  it('has figures that are read to the last digit, halves rounded upwards', () => {
    for (const [value, cpu] of [
      ['0.005', 1n],
      ['0.00499999999999999999999999', 0n],
      // As doubles, 1.005 and 8.115 lie below their halves: 1.005 * 100 is 100.49999999999999.
      ['1.005', 101n],
      ['8.115', 812n],
      ['12.5', 1250n],
      ['99.995', 10_000n],
      ['100.000', 10_000n],
      ['1e2', 10_000n],
      ['0.1E+3', 10_000n],
      ['10000e-2', 10_000n],
      ['1e-2', 1n],
      ['5e-3', 1n],
      ['49e-4', 0n],
      ['-0', 0n],
      ['-0.0e5', 0n],
      ['0e99999999999999999999', 0n],
      ['0e-99999999999999999999', 0n],
      ['1e-99999999999999999999', 0n],
    ] as const)
      expect(figureOf('cpu_pct', value), value).to.equal(cpu)
    expect(figureOf('net_contrib', '999999999.9995')).to.equal(1_000_000_000_000n)
    expect(figureOf('net_contrib', '123456789.0125')).to.equal(123_456_789_013n)
    expect(figureOf('connections', '30e-1')).to.equal(3n)
    expect(figureOf('connections', '4.000')).to.equal(4n)
  })

  it('has no figure beyond its limits, however little', () => {
    const tiny = `0.${'0'.repeat(500)}1`
    for (const [name, most] of TELEMETRY_LIMITS)
      for (const value of [
        `${most}.${'0'.repeat(400)}1`,
        `${most + 1}`,
        '-1',
        `-${tiny}`,
        '-1e-400',
        '1e400',
        '1e99999999999999999999',
        '9'.repeat(700),
      ])
        expectRefusal(bodyOf({ [name]: value }), `${name} must be a number from 0 to ${most}`)
    for (const value of [tiny, '1e-400', '3.00000000000000000000001', '0.5'])
      expectRefusal(bodyOf({ connections: value }), 'connections must be an integer')
  })

  it('is JSON as it is everywhere else: the last of two fields, escaped names, any white space', () => {
    const odd = `\t{ "cpu_pct" : [1, {"cpu_pct": 9, "x": "}\\"{"}], "\\u0063pu_pct":\r\n7.25 ,"node":"${node}", "latency_ms":"\\\\", "latency_ms":2,"connections":3,"net_contrib":4}\n`
    expect(read(odd)).to.deep.equal({ cpu: 725, latencyUs: 2_000, connections: 3, netContrib: 4_000n })
    expectRefusal(bodyOf({ net_contrib: '4,"cpu_pct":[1]' }), 'cpu_pct must be a number from 0 to 100')
    expectRefusal(bodyOf({ net_contrib: '4,"cpu_pct":"1"' }), 'cpu_pct must be a number from 0 to 100')
    expectRefusal(
      bodyOf({ net_contrib: '4,"cpu_pct":{"cpu_pct":1}' }),
      'cpu_pct must be a number from 0 to 100',
    )
    expectRefusal(bodyOf({ net_contrib: '4,"more":1' }), 'unknown field more')
    expectRefusal(bodyOf({ net_contrib: '4,"__proto__":1' }), 'unknown field __proto__')
    for (const none of ['01', '00', '.5', '5.', '+1', '1e', '1e+', '0x1', 'NaN', '1_0', '--1', '1 2', '١'])
      expectRefusal(bodyOf({ cpu_pct: none }), 'the body is not JSON')
    expectRefusal(`{"cpu_pct":${'['.repeat(500)}${']'.repeat(500)}}`, 'node must be an address')
    expectRefusal(`\ufeff${bodyOf({})}`, 'the body is not JSON')
    expectRefusal(bodyOf({ cpu_pct: `1${' '.repeat(1_024)}` }), 'a body has at most 1024 bytes')
  })

  it('has the figures that fractions have, whatever the notation', () => {
    fc.assert(
      fc.property(number, fc.constantFrom(...TELEMETRY_LIMITS), (text, [name, most, places]) => {
        const found = fixedPoint(text, most, places)
        expect(found !== undefined, name).to.equal(isWithin(text, most))
        if (found !== undefined) expect(BigInt(found.units)).to.equal(secondFigure(text, places))
      }),
      { numRuns: 5_000 },
    )
  })

  it('has, at its figures’ own resolution, those that doubles had', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...TELEMETRY_LIMITS),
        fc.double({ min: 0, max: 1, noNaN: true }),
        ([name, most, places], part) => {
          const units = Math.floor(part * most * 10 ** places)
          const value = units / 10 ** places
          expect(figureOf(name, JSON.stringify(value))).to.equal(BigInt(Math.round(value * 10 ** places)))
          expect(figureOf(name, value.toExponential())).to.equal(BigInt(units))
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('is found in a body as JSON.parse finds it, whatever stands around it', () => {
    const name = fc.constantFrom(...TELEMETRY_LIMITS.map(([n]) => n))
    const junk = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value).slice(0, 300))
    fc.assert(
      fc.property(
        fc.array(fc.tuple(name, fc.oneof(junk, fc.nat(99).map(String))), { maxLength: 5 }),
        (fields) => {
          const more = fields.map(([n, value]) => `,"${n}":${value}`).join('')
          const json = `${bodyOf({}).slice(0, -1)}${more}}`
          const found = attempt(() => read(json))
          const parsed = attempt(() => JSON.parse(json))
          const isGood =
            utf8(json).length <= 1_024 &&
            parsed !== undefined &&
            TELEMETRY_LIMITS.every(
              ([n, most]) => typeof parsed[n] === 'number' && parsed[n] >= 0 && parsed[n] <= most,
            ) &&
            Number.isInteger(parsed.connections)
          expect(found !== undefined, json).to.equal(isGood)
          if (found !== undefined)
            expect(BigInt(found.cpu)).to.equal(secondFigure(secondBody(json)['cpu_pct']!, 2))
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

function attempt<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

import { expect } from 'chai'
import fc from 'fast-check'
import { toBase64 } from '../../core/bytes.ts'
import { fuzzInputs, fuzzSeed } from '../kit/hostile/fuzz.ts'
import { RestChain } from '../kit/http/rest.ts'

/** Of either kind. */
const numRuns = fuzzInputs(2)
const seed = fuzzSeed

describe('REST under fuzz', () => {
  let rest: RestChain
  let paths: { path: string; method: string; names: string[] }[]
  let tx: Uint8Array

  before(async () => {
    rest = await RestChain.start({ writesPerSecond: 1_000_000 })
    tx = rest.chain.send('alice', 'bob', 5n)
    const { body } = await rest.get('/openapi.json')
    paths = Object.entries<Record<string, { parameters?: { name?: string }[] }>>(body.paths).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, { parameters = [] }]) => ({
          path,
          method,
          names: parameters.flatMap((p) => p.name ?? []),
        })),
    )
  })
  after(() => rest.stop())

  const word = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }).map(String),
    fc.double().map(String),
    fc.constantFrom('', 'true', 'afrx', '-1', '0', '../..', '%', '%00', '__proto__', 'a'.repeat(900), 'AA=='),
  )

  /** Escaped for a URL; half a surrogate pair becomes U+FFFD. */
  const escaped = (text: string): string => encodeURIComponent(Buffer.from(text).toString())

  function fine(status: number, body: unknown, what: string): void {
    expect(status, what).to.be.oneOf([200, 202, 400, 401, 404, 405, 409, 413, 414, 415, 422, 429, 503])
    if (status < 400) return
    const { error } = body as { error: { code: string; message: string; details: object } }
    expect(error.code, what).to.match(/^[a-z0-9_]+$/)
    expect(error.message, what).to.be.a('string')
    expect(rest.faults, what).to.deep.equal([])
  }

  it('answers every query', async () => {
    const query = fc.record({
      at: fc.nat(),
      values: fc.array(word, { minLength: 4, maxLength: 4 }),
      pairs: fc.array(fc.tuple(fc.nat(), word, word), { maxLength: 4 }),
      height: fc.option(
        word.filter((w) => /^[\x20-\x7e]*$/.test(w)),
        { nil: undefined },
      ),
    })
    await fc.assert(
      fc.asyncProperty(query, async ({ at, values, pairs, height }) => {
        const { path, names } = paths[at % paths.length]!
        let i = 0
        const filled = path.replace(/\{[^}]+\}/g, () => escaped(values[i++ % 4]!))
        const parameters = pairs
          .map(([n, name, value]) => {
            const key = n % 3 === 0 ? name : (names[n % Math.max(1, names.length)] ?? name)
            return `${escaped(key)}=${escaped(value)}`
          })
          .join('&')
        const url = `${filled}?${parameters}`
        const { status, body } = await rest.get(
          url,
          height === undefined ? {} : { 'x-cosmos-block-height': height },
        )
        fine(status, body, url)
      }),
      { numRuns, seed },
    )
  }).timeout(Math.max(20_000, numRuns * 50))

  it('answers every body', async () => {
    const json = fc.oneof(
      fc.json({ maxDepth: 6 }),
      fc.string({ unit: 'binary', maxLength: 100 }),
      fc.tuple(fc.nat(), fc.nat(255), fc.nat(3)).map(([at, byte, kind]) => {
        const changed = Uint8Array.from(tx)
        changed[at % changed.length] = byte
        const bytes = kind === 0 ? changed.subarray(0, at % changed.length) : changed
        return JSON.stringify({ tx_bytes: toBase64(bytes) })
      }),
      fc
        .record({ tx: fc.jsonValue(), tx_bytes: word, mode: word }, { requiredKeys: [] })
        .map((r) => JSON.stringify(r)),
      fc
        .record(
          { body: fc.jsonValue(), auth_info: fc.jsonValue(), signatures: fc.array(word) },
          { requiredKeys: [] },
        )
        .map((t) => JSON.stringify({ tx: t })),
    )
    await fc.assert(
      fc.asyncProperty(fc.nat(), json, async (at, text) => {
        const posts = paths.filter((p) => p.method === 'post')
        const { path } = posts[at % posts.length]!
        const { status, body } = await rest.post(path, text)
        fine(status, body, `${path} ${text}`)
      }),
      { numRuns, seed },
    )
  }).timeout(Math.max(20_000, numRuns * 50))
})

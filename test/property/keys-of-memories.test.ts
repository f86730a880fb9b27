import { expect } from 'chai'
import fc from 'fast-check'
import { keyOf, memory } from '../../core/remembered.ts'

const part = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.uint8Array({ maxLength: 12 }),
  fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
  // What keys are made of themselves.
  fc.stringMatching(/^[tbn][0-9]{0,2}[:;][tbn]?[0-9]?$/),
  fc.constantFrom('', 'fornax', 'fornaxvaloper', new TextEncoder().encode('valoper')),
)
type Part = string | Uint8Array | bigint

const isSame = (a: readonly Part[], b: readonly Part[]): boolean =>
  a.length === b.length &&
  a.every((x, i) => {
    const y = b[i]!
    return typeof x === 'object' || typeof y === 'object'
      ? x instanceof Uint8Array && y instanceof Uint8Array && Buffer.compare(x, y) === 0
      : x === y
  })

/** Lists of which one is the other with a boundary moved, or a part read as another kind. */
const close = fc
  .array(part, { maxLength: 4 })
  .chain((parts) =>
    fc.tuple(
      fc.constant(parts),
      fc.oneof(
        fc.array(part, { maxLength: 4 }),
        fc.constant(parts.map((p) => (typeof p === 'string' ? new TextEncoder().encode(p) : p))),
        fc.constant(parts.map((p) => (typeof p === 'bigint' ? `${p}` : p))),
        fc.constant([parts.filter((p) => typeof p === 'string').join('')]),
        fc.constant([keyOf(...parts)]),
        fc.constant(parts.slice().reverse()),
      ),
    ),
  )

describe('keys of memories', () => {
  it('are the same for the same parts alone', () => {
    fc.assert(
      fc.property(close, ([a, b]: readonly [readonly Part[], readonly Part[]]) => {
        expect(keyOf(...a) === keyOf(...b)).to.equal(isSame(a, b))
      }),
      { numRuns: 20_000 },
    )
  })

  it('tell the account `valoper…` from the validator, and a swapped Any from the usual one', () => {
    const x = new Uint8Array(20).fill(7)
    const lookalike = Uint8Array.from(Buffer.concat([Buffer.from('valoper'), x]))
    expect(keyOf('fornax', lookalike)).not.to.equal(keyOf('fornaxvaloper', x))
    expect(keyOf('/a', new TextEncoder().encode('b'))).not.to.equal(keyOf('/ab', new Uint8Array(0)))
  })

  it('fill a memory up to its bytes and no further', () => {
    const results = memory<Uint8Array>(64 * 1024, (bytes) => bytes.length)
    const kept = (): number => {
      let sum = 0
      for (let i = 0; i < 2_000; i++) sum += results.get(keyOf(BigInt(i)))?.length ?? 0
      return sum
    }
    for (let i = 0; i < 2_000; i++) results.set(keyOf(BigInt(i)), new Uint8Array(1_000))
    expect(kept())
      .to.be.greaterThan(10_000)
      .and.lessThan(64 * 1024)
    results.set(keyOf('too large'), new Uint8Array(1024 * 1024))
    expect(results.get(keyOf('too large'))).to.equal(undefined)
  })
})

import { expect } from 'chai'
import { collections, pair, part, uint64Key, uint64Value } from '../../../core/collections.ts'
import { type Block, Context } from '../../../core/context.ts'
import { gasMeter } from '../../../core/gas.ts'
import { Journal } from '../../../core/journal.ts'
import { paginate, paginateSome } from '../../../core/pagination.ts'
import { MemoryState } from '../../kit/store/memory-state.ts'

const OWNERS = 3n
const COUNT = 2000n
const numbers = collections('pagination').map(1, pair(uint64Key, uint64Key), uint64Value)
const within = part(uint64Key, 1n)
const request = { key: new Uint8Array(0), offset: 0n, limit: 0n, countTotal: false, reverse: false }

describe('a page of a collection', () => {
  const written = new Journal(new MemoryState())
  before(() => {
    const ctx = new Context(written, { height: 1n } as Block, 'genesis')
    for (let owner = 0n; owner < OWNERS; owner++)
      for (let n = 0n; n < COUNT; n++) numbers.set(ctx, [owner, n], n)
  })
  const context = (gas = 10_000_000n): Context => {
    const base = new MemoryState()
    for (const { store, writes } of written.writes()) for (const [k, v] of writes) base.put(store, k, v)
    return new Context(new Journal(base), { height: 1n } as Block, 'query', gasMeter(gas))
  }
  const values = (first: bigint, count: number, step = 1n): bigint[] =>
    Array.from({ length: count }, (_, i) => first + BigInt(i) * step)

  it('has a hundred entries and their total where nothing is asked for, for the gas of a few more', () => {
    const ctx = context(40_000n)
    const { items, pagination } = paginate(ctx, numbers, undefined, (_, n) => n, within)
    expect(items).to.deep.equal(values(0n, 100))
    expect(pagination.total).to.equal(COUNT)
    expect(pagination.nextKey).to.deep.equal(uint64Key.encode(100n))
  })

  it('begins behind an offset, forwards and backwards, without the gas of what it leaves out', () => {
    const of = (offset: bigint, reverse: boolean) =>
      paginate(context(40_000n), numbers, { ...request, offset, limit: 3n, reverse }, (_, n) => n, within)
    expect(of(1500n, false).items).to.deep.equal([1500n, 1501n, 1502n])
    expect(of(1500n, true).items).to.deep.equal([499n, 498n, 497n])
    expect(of(1998n, false)).to.deep.equal({
      items: [1998n, 1999n],
      pagination: { nextKey: new Uint8Array(0), total: 0n },
    })
    expect(of(1998n, true).items).to.deep.equal([1n, 0n])
    expect(of(2000n, false).items).to.deep.equal([])
    expect(of(2000n, true).items).to.deep.equal([])
  })

  it('ends where half of the gas is spent, and its next key leads through all of them', () => {
    const seen: bigint[] = []
    let key = new Uint8Array(0)
    let pages = 0
    do {
      const page = paginate(context(50_000n), numbers, { ...request, key, limit: COUNT }, (_, n) => n, within)
      seen.push(...page.items)
      key = new Uint8Array(page.pagination.nextKey)
      pages++
    } while (key.length > 0)
    expect(seen).to.deep.equal(values(0n, Number(COUNT)))
    expect(pages).to.be.within(2, 20)
  })

  it('of some entries counts and skips those alone', () => {
    const even = (_: unknown, n: bigint): bigint | undefined => (n % 2n === 0n ? n : undefined)
    const asked = { ...request, offset: 10n, limit: 5n, countTotal: true }
    const { items, pagination } = paginateSome(context(), numbers, asked, even, within)
    expect(items).to.deep.equal(values(20n, 5, 2n))
    expect(pagination.total).to.equal(COUNT / 2n)
    const onwards = { ...request, key: pagination.nextKey, limit: 2n }
    expect(paginateSome(context(), numbers, onwards, even, within).items).to.deep.equal([30n, 32n])
  })
})

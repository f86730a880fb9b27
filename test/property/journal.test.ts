import { expect } from 'chai'
import fc from 'fast-check'
import { Journal } from '../../core/journal.ts'
import { MemoryState } from '../kit/store/memory-state.ts'

const key = (n: number): Uint8Array => Uint8Array.of(n >> 4, n & 15)
const value = (n: number): Uint8Array => Uint8Array.of(n)

/** What a journal is held to: whole copies of a map, one a checkpoint. */
class Model {
  frames: { entries: Map<number, number>; events: number }[]
  constructor(initial: Map<number, number>) {
    this.frames = [{ entries: new Map(initial), events: 0 }]
  }
  get top(): { entries: Map<number, number>; events: number } {
    return this.frames.at(-1)!
  }
  checkpoint(): void {
    this.frames.push({ entries: new Map(this.top.entries), events: this.top.events })
  }
  commit(): void {
    this.frames.splice(-2, 1)
  }
  revert(): void {
    this.frames.pop()
  }
}

type Op =
  | { op: 'set'; k: number; v: number }
  | { op: 'delete' | 'has'; k: number }
  | { op: 'checkpoint' | 'commit' | 'revert' | 'emit' }
  | { op: 'range'; from: number; to: number; reverse: boolean }

const k = fc.nat(40)
const anyOp: fc.Arbitrary<Op> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: fc.constant('set' as const), k, v: fc.nat(255) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constantFrom('delete' as const, 'has' as const), k }) },
  {
    weight: 4,
    arbitrary: fc.record({ op: fc.constantFrom('checkpoint', 'commit', 'revert', 'emit' as const) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('range' as const), from: k, to: k, reverse: fc.boolean() }),
  },
) as fc.Arbitrary<Op>

function run(journal: Journal, model: Model, ops: readonly Op[]): void {
  for (const o of ops) {
    if (o.op === 'set') {
      journal.set('s', key(o.k), value(o.v))
      model.top.entries.set(o.k, o.v)
    } else if (o.op === 'delete') {
      journal.delete('s', key(o.k))
      model.top.entries.delete(o.k)
    } else if (o.op === 'emit') {
      journal.emit({ type: 'e', attributes: [] })
      model.top.events++
    } else if (o.op === 'checkpoint') {
      journal.checkpoint()
      model.checkpoint()
    } else if (o.op === 'range') {
      const [low, high] = [Math.min(o.from, o.to), Math.max(o.from, o.to)]
      const got = [...journal.entries('s', key(low), key(high), o.reverse)].map(([a, b]) => [
        a[0]! * 16 + a[1]!,
        b[0]!,
      ])
      const want = [...model.top.entries]
        .filter(([n]) => n >= low && n < high)
        .sort(([a], [b]) => (o.reverse ? b - a : a - b))
      expect(got).to.deep.equal(want)
      const all = [...model.top.entries.keys()].sort((a, b) => a - b)
      expect(journal.rank('s')).to.equal(all.length)
      expect(journal.rank('s', key(low))).to.equal(all.filter((n) => n < low).length)
      expect(journal.keyAt('s', o.from)).to.deep.equal(
        all[o.from] === undefined ? undefined : key(all[o.from]!),
      )
    } else if (o.op === 'has') {
      expect(journal.has('s', key(o.k))).to.equal(model.top.entries.has(o.k))
    } else if (model.frames.length > 1) {
      journal[o.op]()
      model[o.op]()
    }
    expect(journal.events.length).to.equal(model.top.events)
  }
}

describe('the journal', () => {
  it('reads, iterates, commits and reverts as copies of a map would', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(k, fc.nat(255)), { selector: ([n]) => n }),
        fc.array(anyOp, { maxLength: 120 }),
        (initial, ops) => {
          const base = new MemoryState()
          for (const [n, v] of initial) base.put('s', key(n), value(v))
          const journal = new Journal(base)
          const model = new Model(new Map(initial))
          run(journal, model, ops)
          while (model.frames.length > 1) {
            journal.commit()
            model.commit()
          }
          for (const { store, writes } of journal.writes())
            for (const [wk, wv] of writes) base.put(store, wk, wv)
          const stored = new Map(
            [...base.entries('s', new Uint8Array(0), undefined)].map(([a, b]) => [a[0]! * 16 + a[1]!, b[0]!]),
          )
          expect([...stored].sort(([a], [b]) => a - b)).to.deep.equal(
            [...model.top.entries].sort(([a], [b]) => a - b),
          )
        },
      ),
      { numRuns: 500, seed: 7 },
    )
  })

  it('nests 1,024 deep and takes 100,000 checkpoints in a block, reading no more than it is asked', () => {
    const base = new MemoryState()
    const journal = new Journal(base)
    const write = (n: number): void => journal.set('s', key(n & 255), value(n & 255))
    let checkpoints = 0
    while (checkpoints < 100_000) {
      for (let depth = 0; depth < 1024; depth++, checkpoints++) {
        journal.checkpoint()
        if (depth % 64 === 0) write(depth / 64)
      }
      for (let depth = 1023; depth >= 0; depth--) {
        if (depth % 3 === 0) journal.revert()
        else journal.commit()
      }
      expect(journal.depth).to.equal(0)
    }
    expect(base.reads).to.equal(0)
    // The outermost frame was reverted each time, and with it everything.
    expect(journal.writes()).to.deep.equal([])
  })

  it('keeps what inner frames committed when the outer one commits', () => {
    const journal = new Journal(new MemoryState())
    journal.checkpoint()
    for (let i = 0; i < 1000; i++) journal.checkpoint()
    journal.set('s', key(1), value(9))
    for (let i = 0; i < 1000; i++) journal.commit()
    journal.checkpoint()
    journal.set('s', key(1), value(8))
    journal.revert()
    journal.commit()
    expect(journal.writes()).to.deep.equal([{ store: 's', writes: [[key(1), value(9)]] }])
  })

  it('stands on another journal as on a store, and flattens both', () => {
    fc.assert(
      fc.property(fc.array(anyOp, { maxLength: 40 }), fc.array(anyOp, { maxLength: 40 }), (below, above) => {
        const base = new MemoryState()
        for (let n = 0; n < 20; n++) base.put('s', key(n), value(n))
        const model = new Model(new Map(Array.from({ length: 20 }, (_, n) => [n, n])))
        const lower = new Journal(base)
        run(lower, model, below)
        for (; model.frames.length > 1; model.commit()) lower.commit()
        model.top.events = 0
        const upper = new Journal(lower)
        run(upper, model, above)
        for (; model.frames.length > 1; model.commit()) upper.commit()
        for (const { store, writes } of upper.writesThrough(lower))
          for (const [wk, wv] of writes) base.put(store, wk, wv)
        const stored = [...base.entries('s', new Uint8Array(0), undefined)].map(([a, b]) => [
          a[0]! * 16 + a[1]!,
          b[0]!,
        ])
        expect(stored).to.deep.equal([...model.top.entries].sort(([a], [b]) => a - b))
      }),
      { numRuns: 300, seed: 11 },
    )
  })

  it('reverts what an action did that fails later, and keeps what one did that succeeds', async () => {
    const journal = new Journal(new MemoryState())
    const write = async (n: number, fails: boolean): Promise<number> => {
      journal.set('s', key(n), value(n))
      journal.checkpoint()
      journal.emit({ type: `${n}`, attributes: [] })
      await Promise.resolve()
      if (fails) throw new Error('late')
      journal.commit()
      return n
    }
    expect(await journal.attemptAsync(() => write(1, false))).to.equal(1)
    const late = await journal.attemptAsync(() => write(2, true)).catch((error: Error) => error.message)
    expect(late).to.equal('late')
    expect([journal.has('s', key(1)), journal.has('s', key(2)), journal.depth]).to.deep.equal([
      true,
      false,
      0,
    ])
    expect(journal.events.map((e) => e.type)).to.deep.equal(['1'])
  })
})

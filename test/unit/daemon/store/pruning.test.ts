import { expect } from 'chai'
import { Level } from 'level'
import type { StoreWrites } from '../../../../core/state-reader.ts'
import type { Store } from '../../../../daemon/store/store.ts'
import { StoreError } from '../../../../daemon/store/store-error.ts'
import {
  bytes,
  commitAt,
  hex,
  inDirectory,
  openStore,
  withStore,
  writesOf,
} from '../../../kit/store/store.ts'

/** 30 writes of block `height` over 300 keys, every fifth a removal. */
function block(height: number): StoreWrites {
  const entries = Array.from({ length: 30 }, (_, i) => {
    const n = (height * 7919 + i * 104729) % 300
    return [`key/${n}`, i % 5 === 0 ? null : `value ${height}/${n}`] as const
  })
  return writesOf('bank', Object.fromEntries(entries))
}

async function run(store: Store, from: number, to: number): Promise<void> {
  for (let height = from; height <= to; height++) {
    await commitAt(store, height, [block(height)])
    await store.pruned()
  }
}

/** How many entries the closed database has under each namespace's letter. */
async function census(path: string): Promise<Record<string, number>> {
  const level = new Level<Buffer, Buffer>(path, { keyEncoding: 'buffer', valueEncoding: 'buffer' })
  const counts: Record<string, number> = {}
  for await (const key of level.keys()) {
    const letter = String.fromCharCode(key[0]!)
    counts[letter] = (counts[letter] ?? 0) + 1
  }
  await level.close()
  return counts
}

function contents(store: Store, height: number): string {
  return [...store.at(height).entries('bank', new Uint8Array(0), undefined)]
    .map(([key, value]) => `${hex(key)}=${hex(value)}`)
    .join()
}

function hexOf(height: number): string {
  return height.toString(16).padStart(16, '0')
}

describe('pruning', () => {
  it('keeps the last heights, whole and provable, and refuses the others', () =>
    withStore({ pruning: { kind: 'custom', keepRecent: 5, interval: 1 } }, async (store) => {
      const expected = new Map<number, string>()
      for (let height = 1; height <= 120; height++) {
        await run(store, height, height)
        expected.set(height, contents(store, height))
      }
      expect(store.earliestHeight).to.equal(116)
      for (let height = 116; height <= 120; height++) {
        expect(contents(store, height)).to.equal(expected.get(height))
        store.prove('bank', bytes('key/1'), height)
      }
      for (const height of [1, 100, 115]) {
        expect(() => store.at(height))
          .to.throw(StoreError)
          .with.property('code', 'height_not_kept')
      }
    }))

  it('leaves nothing of dead nodes behind', () =>
    inDirectory(async (directory) => {
      const path = `${directory}/state`
      const store = await openStore(path, { pruning: { kind: 'custom', keepRecent: 2, interval: 1 } })
      await run(store, 1, 150)
      const all = [...store.latest.entries('bank', new Uint8Array(0), undefined)].map(
        ([key]) => [key, null] as const,
      )
      await commitAt(store, 151, [{ store: 'bank', writes: all }])
      for (let height = 152; height <= 155; height++) {
        await commitAt(store, height, [])
        await store.pruned()
      }
      expect(hex(store.at(155).roots[0]!.hash)).to.match(/^e3b0c442/)
      await store.close()
      expect(await census(path)).to.deep.equal({ m: 4, v: 2 })
    }))

  it('goes on where it was after a restart, and can be given other rules', () =>
    inDirectory(async (directory) => {
      const path = `${directory}/state`
      let store = await openStore(path, { pruning: { kind: 'nothing' } })
      await run(store, 1, 40)
      expect(store.earliestHeight).to.equal(1)
      const last = contents(store, 40)
      await store.close()
      store = await openStore(path, { pruning: { kind: 'everything' } })
      expect(contents(store, 1)).to.not.equal('')
      await run(store, 41, 50)
      expect(store.earliestHeight).to.equal(49)
      await store.close()
      store = await openStore(path, { pruning: { kind: 'everything' } })
      expect(store.earliestHeight).to.equal(49)
      expect(contents(store, 49)).to.not.equal(last)
      await store.close()
    }))

  it('waits for a height that is held, and leaves iterators their version', () =>
    withStore({ pruning: { kind: 'custom', keepRecent: 2, interval: 1 } }, async (store) => {
      await run(store, 1, 10)
      const before = contents(store, 10)
      const release = store.hold(10)
      const iterator = store.latest.entries('bank', new Uint8Array(0), undefined)
      const read = [iterator.next().value]
      await run(store, 11, 20)
      expect(store.earliestHeight).to.equal(10)
      for (const entry of iterator) read.push(entry)
      expect(read.map(([key, value]) => `${hex(key)}=${hex(value)}`).join()).to.equal(before)
      release()
      const abandoned = store.at(10).entries('bank', new Uint8Array(0), undefined)
      abandoned.next()
      await run(store, 21, 21)
      expect(store.earliestHeight).to.equal(20)
      expect(() => abandoned.next())
        .to.throw(StoreError)
        .with.property('code', 'height_not_kept')
    }))

  it('drops the oldest heights, a tenth at a time, while the database is larger than allowed', () =>
    inDirectory(async (directory) => {
      const path = `${directory}/state`
      const rules = { kind: 'custom', keepRecent: 1000, interval: 10 } as const
      let store = await openStore(path, { pruning: rules })
      await run(store, 1, 99)
      await store.close()
      // Level measures table files, which it makes of its log when it is opened.
      store = await openStore(path, { pruning: { ...rules, maxDiskBytes: 1 } })
      await run(store, 100, 100)
      expect(store.earliestHeight).to.equal(11)
      await run(store, 101, 110)
      expect(store.earliestHeight).to.equal(21)
      expect(store.stats().bytes).to.be.greaterThan(0)
      await store.close()
    }))

  it('stops, and says so, where a node dies twice', () =>
    inDirectory(async (directory) => {
      const path = `${directory}/state`
      let store = await openStore(path)
      await run(store, 1, 10)
      await store.close()
      const level = new Level<Buffer, Buffer>(path, { keyEncoding: 'buffer', valueEncoding: 'buffer' })
      const [third, fourth] = [3, 4].map((height) => Buffer.from(`6f${hexOf(height)}0001`, 'hex'))
      await level.put(fourth!, (await level.get(third!))!)
      await level.close()
      const told: string[] = []
      const log = {
        info: () => undefined,
        warn: () => undefined,
        error: (fields: object) => told.push(JSON.stringify(fields)),
      }
      store = await openStore(path, { pruning: { kind: 'everything' }, log })
      await run(store, 11, 30)
      expect(told).to.have.length(1)
      expect(told[0]).to.match(/node 1\/\d+\/0\/\d+ dies twice/)
      expect(store.height).to.equal(30)
      await store.close()
    }))

  it('rejects rules that would leave readers nothing', async () => {
    for (const pruning of [
      { kind: 'custom', keepRecent: 1, interval: 10 },
      { kind: 'custom', keepRecent: 10, interval: 0 },
      { kind: 'everything', maxDiskBytes: 0 },
    ] as const) {
      let code: string | undefined
      await inDirectory((directory) => openStore(directory, { pruning })).catch((error: StoreError) => {
        code = error.code
      })
      expect(code).to.equal('bad_options')
    }
  })
})

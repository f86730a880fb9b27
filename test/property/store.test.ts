import { expect } from 'chai'
import fc from 'fast-check'
import { compareBytes, utf8 } from '../../core/bytes.ts'
import { IAVL_SPEC, TENDERMINT_SPEC } from '../../core/ics23/proof-spec.ts'
import {
  decodeProofOps,
  verifyChainedMembership,
  verifyChainedNonMembership,
} from '../../core/ics23/verify.ts'
import type { StateReader, StoreWrites, Write } from '../../core/state-reader.ts'
import type { Store } from '../../daemon/store/store.ts'
import { StoreError } from '../../daemon/store/store-error.ts'
import { commitAt, fromHex, hex, inDirectory, openStore } from '../kit/store/store.ts'

type Model = Map<string, string>

const STORES = ['bank', 'staking']

const key = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 2 }),
  fc.integer({ min: 0, max: 40 }).map((n) => Uint8Array.of(n)),
  fc.uint8Array({ minLength: 1, maxLength: 30 }),
)
const value = fc.option(fc.uint8Array({ minLength: 1, maxLength: 40 }), { freq: 3, nil: null })

const step = fc.record({
  skip: fc.integer({ min: 1, max: 3 }),
  reopen: fc.boolean(),
  replaced: fc.boolean(),
  blocks: fc.tuple(
    fc.array(fc.tuple(key, value), { maxLength: 40 }),
    fc.array(fc.tuple(key, value), { maxLength: 4 }),
  ),
})

function sorted(store: string, entries: readonly Write[]): StoreWrites {
  const unique = new Map(entries.map((entry) => [hex(entry[0]), entry]))
  return { store, writes: [...unique.values()].sort((a, b) => compareBytes(a[0], b[0])) }
}

function apply(model: Model, { writes }: StoreWrites): void {
  for (const [key, value] of writes) {
    if (value === null) model.delete(hex(key))
    else model.set(hex(key), hex(value))
  }
}

function entriesOf(model: Model, start: Uint8Array, end: Uint8Array | undefined, reverse: boolean): string[] {
  const keys = [...model.keys()].sort()
  const inside = keys.filter((k) => k >= hex(start) && (end === undefined || k < hex(end)))
  if (reverse) inside.reverse()
  return inside.map((k) => `${k}=${model.get(k)}`)
}

function read(
  reader: StateReader,
  store: string,
  start: Uint8Array,
  end: Uint8Array | undefined,
  reverse: boolean,
): string[] {
  return [...reader.entries(store, start, end, reverse)].map(([k, v]) => `${hex(k)}=${hex(v)}`)
}

const SPECS = [IAVL_SPEC, TENDERMINT_SPEC]

/** The store's own proof holds under our verifier, and no other value or claim does. */
function expectProven(
  store: Store,
  name: string,
  k: Uint8Array,
  height: number,
  model: Model,
  appHash: Uint8Array,
): void {
  const expected = model.get(hex(k))
  if (model.size === 0) {
    expect(() => store.prove(name, k, height))
      .to.throw(StoreError)
      .with.property('code', 'nothing_to_prove')
    return
  }
  const { value, ops } = store.prove(name, k, height)
  expect(value && hex(value)).to.equal(expected)
  const proofs = decodeProofOps(ops)
  const path = [utf8(name), k]
  expect(verifyChainedMembership(SPECS, appHash, proofs, path, value ?? utf8('any'))).to.equal(
    value !== undefined,
  )
  expect(verifyChainedNonMembership(SPECS, appHash, proofs, path)).to.equal(value === undefined)
  expect(verifyChainedMembership(SPECS, appHash, proofs, path, utf8('other'))).to.equal(false)
  expect(verifyChainedNonMembership(SPECS, appHash, proofs, [utf8('other'), k])).to.equal(false)
  expect(
    verifyChainedMembership(SPECS, appHash.with(0, appHash[0]! ^ 1), proofs, path, value ?? utf8('any')),
  ).to.equal(false)
}

describe('a store under random blocks', () => {
  it('reads as plain maps do, at every height, and hashes as one that was given the same blocks at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        key,
        key,
        async (steps, start, end) => {
          await inDirectory(async (directory) => {
            const models = STORES.map((): Model => new Map())
            const history = new Map<number, { appHash: string; models: Model[]; blocks: StoreWrites[] }>()
            let store = await openStore(`${directory}/a`, { stores: STORES })
            let height = 0
            for (const { skip, reopen, replaced, blocks } of steps) {
              height += skip
              const writes = STORES.map((name, i) => sorted(name, blocks[i]!))
              if (replaced) store.stage(height, [sorted('bank', [[start, end]])])
              const appHash = hex(await commitAt(store, height, writes))
              for (const [i, block] of writes.entries()) apply(models[i]!, block)
              history.set(height, { appHash, models: models.map((model) => new Map(model)), blocks: writes })
              if (!reopen) continue
              await store.close()
              store = await openStore(`${directory}/a`, { stores: STORES })
              expect(store.height).to.equal(height)
              expect(hex(store.appHash)).to.equal(appHash)
            }
            for (const [at, { models, appHash }] of history) {
              for (const [i, name] of STORES.entries()) {
                for (const k of [start, end, ...[...models[i]!.keys()].slice(0, 3).map(fromHex)]) {
                  expectProven(store, name, k, at, models[i]!, fromHex(appHash))
                }
              }
              const readers = at === height ? [store.latest, store.at(at)] : [store.at(at)]
              for (const reader of readers) {
                for (const [i, name] of STORES.entries()) {
                  const model = models[i]!
                  for (const reverse of [false, true]) {
                    const all = new Uint8Array(0)
                    expect(read(reader, name, all, undefined, reverse)).to.deep.equal(
                      entriesOf(model, all, undefined, reverse),
                    )
                    expect(read(reader, name, start, end, reverse)).to.deep.equal(
                      entriesOf(model, start, end, reverse),
                    )
                  }
                  const keys = [...model.keys()].sort()
                  expect(reader.rank(name)).to.equal(keys.length)
                  expect(reader.rank(name, start)).to.equal(keys.filter((k) => k < hex(start)).length)
                  for (const rank of [...keys.keys(), keys.length, -1])
                    expect(hex(reader.keyAt(name, rank) ?? new Uint8Array(0))).to.equal(keys[rank] ?? '')
                  for (const [k, v] of model) expect(hex(reader.get(name, fromHex(k))!)).to.equal(v)
                  expect(reader.get(name, start)).to.deep.equal(
                    model.has(hex(start)) ? fromHex(model.get(hex(start))!) : undefined,
                  )
                }
              }
            }
            await store.close()
            const second = await openStore(`${directory}/b`, { stores: STORES })
            for (const [at, { appHash, blocks }] of history) {
              expect(hex(await commitAt(second, at, blocks))).to.equal(appHash)
            }
            await second.close()
          })
        },
      ),
      { numRuns: 60, seed: 1 },
    )
  })
})

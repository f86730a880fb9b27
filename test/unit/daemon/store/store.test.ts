import { expect } from 'chai'
import { utf8 } from '../../../../core/bytes.ts'
import { StoreError, type StoreErrorCode } from '../../../../daemon/store/store-error.ts'
import { bytes, commitAt, hex, withStore, writesOf } from '../../../kit/store/store.ts'

const NO_KEY = new Uint8Array(0)

function throws(code: StoreErrorCode, run: () => unknown): void {
  expect(run).to.throw(StoreError).with.property('code', code)
}

describe('a store', () => {
  it('has before its first commit height 0 and the app hash of nothing, as the SDK', () =>
    withStore({}, async (store) => {
      expect(store.height).to.equal(0)
      expect(store.earliestHeight).to.equal(0)
      expect(hex(store.appHash)).to.match(/^e3b0c44298fc1c149afbf4c8996fb924/)
      expect([...store.latest.entries('bank', NO_KEY, undefined)]).to.deep.equal([])
      throws('height_not_kept', () => store.at(0))
      throws('height_in_future', () => store.at(1))
    }))

  it('begins at any height and skips heights, which are then not kept', () =>
    withStore({}, async (store) => {
      await commitAt(store, 2 ** 40, [writesOf('bank', { a: '1' })])
      await commitAt(store, 2 ** 40 + 3, [writesOf('bank', { a: '2' })])
      expect(store.earliestHeight).to.equal(2 ** 40)
      expect(hex(store.at(2 ** 40).get('bank', utf8('a'))!)).to.equal(hex(utf8('1')))
      throws('height_not_kept', () => store.at(2 ** 40 + 1))
      expect(() => store.at(2 ** 40 + 1)).to.throw(`made with that of height ${2 ** 40 + 3}`)
      throws('bad_write', () => store.stage(2 ** 40 + 3, []))
    }))

  it('shows nothing of a staged version until it is committed, and forgets it when discarded', () =>
    withStore({}, async (store) => {
      const first = await commitAt(store, 1, [writesOf('bank', { a: '1', b: '1' })])
      const second = store.stage(2, [writesOf('bank', { a: null, c: '2' })])
      expect(store.appHash).to.deep.equal(first)
      expect(store.latest.get('bank', utf8('c'))).to.equal(undefined)
      expect(store.stage(2, [writesOf('bank', { b: '3' })])).to.not.deep.equal(second)
      expect(store.stage(2, [writesOf('bank', { a: null, c: '2' })])).to.deep.equal(second)
      store.discardStaged()
      let code: string | undefined
      await store.commit().catch((error: StoreError) => {
        code = error.code
      })
      expect(code).to.equal('nothing_staged')
      expect(await commitAt(store, 2, [writesOf('bank', { a: null, c: '2' })])).to.deep.equal(second)
      expect(store.latest.get('bank', utf8('a'))).to.equal(undefined)
    }))

  it('answers from the committed version while the next is on its way to disk, and takes no writes then', () =>
    withStore({}, async (store) => {
      await commitAt(store, 1, [writesOf('bank', { a: '1', b: '1' })])
      const reader = store.latest
      store.stage(2, [writesOf('bank', { a: '2', b: null, c: '2' })])
      const commit = store.commit()
      throws('busy', () => store.stage(3, []))
      for (let turn = 0; turn < 50; turn++) {
        const isCommitted = store.height === 2
        expect(hex(store.latest.get('bank', utf8('a'))!)).to.equal(hex(utf8(isCommitted ? '2' : '1')))
        expect(reader.get('bank', utf8('c'))).to.equal(undefined)
        expect([...reader.entries('bank', NO_KEY, undefined)]).to.have.length(2)
        await new Promise((resolve) => setImmediate(resolve))
      }
      await commit
      expect(hex(reader.get('bank', utf8('a'))!)).to.equal(hex(utf8('1')))
    }))

  it('keeps the local namespace out of the app hash, written with a commit or alone', () =>
    withStore({}, async (store) => {
      const appHash = store.stage(1, [writesOf('bank', { a: '1' })])
      await store.commit([[utf8('meta:chain_halt'), utf8('true')]])
      expect(hex(store.local.get(utf8('meta:chain_halt'))!)).to.equal(hex(utf8('true')))
      await store.local.put([[utf8('meta:chain_halt'), null]])
      expect(store.local.get(utf8('meta:chain_halt'))).to.equal(undefined)
      expect(store.appHash).to.deep.equal(appHash)
    }))

  it('refuses writes that no tree should see', () =>
    withStore({}, async (store) => {
      const value = bytes('v')
      throws('unknown_store', () => store.stage(1, [writesOf('gov', { a: '1' })]))
      throws('unknown_store', () => store.latest.get('gov', utf8('a')))
      for (const writes of [
        [[NO_KEY, value]],
        [[new Uint8Array(0x10000), value]],
        [
          [utf8('b'), value],
          [utf8('a'), value],
        ],
        [
          [utf8('a'), value],
          [utf8('a'), null],
        ],
      ] as const) {
        throws('bad_write', () => store.stage(1, [{ store: 'bank', writes }]))
      }
      throws('bad_write', () => store.stage(1, [writesOf('bank', {}), writesOf('bank', {})]))
      await commitAt(store, 1, [])
      throws('nothing_to_prove', () => store.prove('bank', utf8('a'), 1))
    }))

  it('waits, when closed, for the commit under way', () =>
    withStore({}, async (store) => {
      store.stage(1, [writesOf('bank', { a: '1' })])
      const commit = store.commit()
      await store.close()
      await commit
      throws('closed', () => store.latest.get('bank', utf8('a')))
    }))
})

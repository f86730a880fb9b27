import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { Level } from 'level'
import { toHex, utf8 } from '../../../../core/bytes.ts'
import type { Store } from '../../../../daemon/store/store.ts'
import { StoreError } from '../../../../daemon/store/store-error.ts'
import { commitAt, inDirectory, openStore, writesOf } from '../../../kit/store/store.ts'

const COMMITTER = fileURLToPath(new URL('../../../kit/store/committer.js', import.meta.url))
const STORES = ['bank', 'staking']

function everything(store: Store): string {
  return STORES.flatMap((name) =>
    [...store.latest.entries(name, new Uint8Array(0), undefined)].map(([k, v]) => `${toHex(k)}=${toHex(v)}`),
  ).join()
}

async function refusal(opening: Promise<Store>): Promise<StoreError> {
  try {
    await (await opening).close()
  } catch (error) {
    if (error instanceof StoreError) return error
    throw error
  }
  throw new Error('the store was opened')
}

/** A closed store with heights 1 to `height` at `path`, half of it in table files. */
async function filled(path: string, height: number): Promise<void> {
  for (const [from, to] of [
    [1, height / 2],
    [height / 2 + 1, height],
  ] as const) {
    const store = await openStore(path, { stores: STORES })
    for (let at = from; at <= to; at++) {
      const entries = Object.fromEntries(
        Array.from({ length: 50 }, (_, i) => [`key/${(at * i) % 300}`, `v${at}/${i}`]),
      )
      await commitAt(store, at, [writesOf('bank', entries)])
    }
    await store.close()
  }
}

describe('a store after a crash', () => {
  it('is at the height before or after the commit that kill -9 struck, whole', async function () {
    this.timeout(60_000)
    await inDirectory(async (directory) => {
      const path = join(directory, 'state')
      const hashes = new Map<number, string>()
      let reached = 0
      for (let round = 0; round < 8; round++) {
        const child = spawn(process.execPath, [COMMITTER, path], { stdio: ['ignore', 'pipe', 'inherit'] })
        let done = reached
        let output = ''
        child.stdout.on('data', (data: Buffer) => {
          output += data.toString()
          const lines = output.split('\n')
          output = lines.pop()!
          for (const line of lines) {
            const [height, what] = line.split(' ')
            if (what === 'done') done = Number(height)
            else hashes.set(Number(height), what!)
          }
        })
        while (done < reached + 5) await once(child.stdout, 'data')
        await new Promise((resolve) => setTimeout(resolve, (round * 13) % 37))
        child.kill('SIGKILL')
        await once(child, 'close')
        const store = await openStore(path, { stores: STORES, pruning: { kind: 'everything' } })
        expect(store.height).to.be.oneOf([done, done + 1])
        expect(toHex(store.appHash)).to.equal(hashes.get(store.height))
        expect(Buffer.from(store.local.get(utf8('local'))!).toString()).to.equal(`${store.height}`)
        expect(Buffer.from(store.latest.get('staking', utf8('height'))!).toString()).to.equal(
          `${store.height}`,
        )
        for (const [name, key] of [
          ['bank', 'key/1'],
          ['staking', 'height'],
        ] as const) {
          expect(store.prove(name, utf8(key), store.height).ops).to.have.length(2)
        }
        everything(store)
        reached = store.height
        await store.close()
      }
    })
  })

  it('copied in the middle of a commit is at the height before or after', () =>
    inDirectory(async (directory) => {
      const store = await openStore(join(directory, 'state'), { stores: STORES })
      const states = new Map([[0, '']])
      for (let height = 1; height <= 12; height++) {
        store.stage(height, [writesOf('bank', { [`key/${height % 5}`]: `v${height}`, other: `${height}` })])
        const commit = store.commit()
        for (let turns = 0; turns < height; turns++) await new Promise((resolve) => setImmediate(resolve))
        const copy = join(directory, `copy${height}`)
        cpSync(join(directory, 'state'), copy, { recursive: true })
        rmSync(join(copy, 'LOCK'))
        await commit
        states.set(height, everything(store))
        const opened = await openStore(copy, { stores: STORES })
        expect(opened.height).to.be.oneOf([height - 1, height])
        expect(everything(opened)).to.equal(states.get(opened.height))
        await opened.close()
      }
      await store.close()
    }))

  it('says so, and changes nothing, where files are cut, damaged or gone', async function () {
    this.timeout(120_000)
    await inDirectory(async (directory) => {
      const original = join(directory, 'original')
      await filled(original, 40)
      const files = readdirSync(original).filter((file) => !/^(LOCK|LOG.*)$/.test(file))
      const harms: Record<string, (file: string) => void> = {
        gone: (file) => rmSync(file),
        empty: (file) => truncateSync(file, 0),
        half: (file) => truncateSync(file, Math.floor(readFileSync(file).length / 2)),
        damaged: (file) => {
          const bytes = readFileSync(file)
          for (let i = 0; i < bytes.length; i += 1000) bytes[i]! ^= 0x55
          writeFileSync(file, bytes)
        },
      }
      cpSync(original, join(directory, 'sound'), { recursive: true })
      const sound = await openStore(join(directory, 'sound'), { stores: STORES })
      const expected = everything(sound)
      const appHash = toHex(sound.appHash)
      await sound.close()
      for (const file of files) {
        for (const [harm, apply] of Object.entries(harms)) {
          const path = join(directory, `${file}-${harm}`)
          cpSync(original, path, { recursive: true })
          apply(join(path, file))
          try {
            const store = await openStore(path, { stores: STORES })
            try {
              expect(store.height, `${file} ${harm}`).to.equal(40)
              expect(toHex(store.appHash)).to.equal(appHash)
              expect(everything(store)).to.equal(expected)
            } finally {
              await store.close()
            }
          } catch (error) {
            expect(error, `${file} ${harm}: ${String(error)}`).to.be.instanceOf(StoreError)
            expect((error as StoreError).code, `${file} ${harm}: ${String(error)}`).to.be.oneOf([
              'unreadable',
              'foreign',
            ])
          }
          rmSync(path, { recursive: true })
        }
      }
    })
  })
})

describe('a directory that is not this store', () => {
  it('is refused when it is a database of another program, of a later format, or no database', () =>
    inDirectory(async (directory) => {
      const other = new Level(join(directory, 'other'))
      await other.put('key', 'value')
      await other.close()
      expect((await refusal(openStore(join(directory, 'other')))).code).to.equal('foreign')
      const later = new Level(join(directory, 'later'))
      await later.put('mformat', 'fornax-store 2')
      await later.close()
      const error = await refusal(openStore(join(directory, 'later')))
      expect(error.code).to.equal('foreign')
      expect(error.message).to.contain('"fornax-store 2"')
      expect((await refusal(openStore(directory))).code).to.equal('foreign')
    }))

  it('is refused while another process holds it, and opened when it no longer does', () =>
    inDirectory(async (directory) => {
      const path = join(directory, 'state')
      const child = spawn(process.execPath, [COMMITTER, path], { stdio: ['ignore', 'pipe', 'inherit'] })
      await once(child.stdout, 'data')
      const error = await refusal(openStore(path, { stores: STORES }))
      expect(error.code).to.equal('locked')
      expect(error.message).to.contain('in use by another process')
      child.kill('SIGKILL')
      await once(child, 'close')
      await (await openStore(path, { stores: STORES })).close()
    }))

  it('is refused where it holds a store that is not listed; a listed one that is new starts empty', () =>
    inDirectory(async (directory) => {
      const path = join(directory, 'state')
      let store = await openStore(path, { stores: ['bank', 'gov'] })
      await commitAt(store, 5, [writesOf('bank', { a: '1' })])
      await store.close()
      expect((await refusal(openStore(path, { stores: ['bank'] }))).code).to.equal('unlisted_store')
      store = await openStore(path, { stores: ['bank', 'dex', 'gov'] })
      expect(store.at(5).roots.map(({ name }) => name)).to.deep.equal(['bank', 'gov'])
      await commitAt(store, 7, [writesOf('dex', { b: '2' })])
      await store.close()
      store = await openStore(path, { stores: ['gov', 'dex', 'bank'] })
      expect(store.at(7).roots.map(({ name }) => name)).to.deep.equal(['bank', 'dex', 'gov'])
      expect(Buffer.from(store.latest.get('dex', utf8('b'))!).toString()).to.equal('2')
      expect(store.at(5).get('dex', utf8('b'))).to.equal(undefined)
      await store.close()
    }))
})

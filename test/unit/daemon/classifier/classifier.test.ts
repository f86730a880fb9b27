import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { sha256 } from '../../../../core/bytes.ts'
import type { Block } from '../../../../core/context.ts'
import { Context } from '../../../../core/context.ts'
import { Journal } from '../../../../core/journal.ts'
import { Classifier, ModelMissing } from '../../../../daemon/classifier/classifier.ts'
import { findModels, ownModelHash, ownModels } from '../../../../daemon/classifier/model-files.ts'
import { decodeReport } from '../../../../modules/classifier/api.ts'
import * as state from '../../../../modules/classifier/state.ts'
import { fornaxd } from '../../../kit/fornaxd/fornaxd.ts'
import { MemoryState } from '../../../kit/store/memory-state.ts'
import { tempDir } from '../../../kit/temp-dir.ts'

describe('a node’s classifier', () => {
  const dir = tempDir()
  const said: string[] = []
  const log = {
    info: (_: object, message: string) => void said.push(message),
    warn: (_: object, message: string) => void said.push(message),
    error: (_: object, message: string) => void said.push(message),
  }
  const ctx = new Context(new Journal(new MemoryState()), { height: 9n } as Block, 'block')
  beforeEach(() => said.splice(0))
  after(() => dir.remove())

  it('makes a report of the chain’s model, of no validator where there is none', async () => {
    const hash = ownModelHash()!
    state.model.set(ctx, { sha256: hash, activationHeight: 0n })
    const seconds: unknown[] = []
    const classifier = new Classifier({ folders: [ownModels], log, onInference: (s) => seconds.push(s) })
    const report = decodeReport(await classifier.report(ctx))!
    expect([report.scores, report.modelPrefix]).to.deep.equal([[], hash.subarray(0, 8)])
    expect([said, seconds.length, typeof seconds[0]]).to.deep.equal([[], 1, 'number'])
  })

  it('knows a model by its content: a file that was changed is another one', async () => {
    const hash = ownModelHash()!
    const bytes = readFileSync(join(ownModels, 'model.onnx'))
    bytes[bytes.length - 9]! ^= 1
    writeFileSync(join(dir.path, 'model.onnx'), bytes)
    const error = await new Classifier({ folders: [dir.path], log })
      .requireModel(hash)
      .catch((e: unknown) => e)
    expect(error).to.be.instanceOf(ModelMissing)
    expect([...findModels([dir.path, join(dir.path, 'none')]).keys()]).to.have.length(1)
  })

  it('is silent while its model is missing, says so once, and speaks when the file is there', async () => {
    const classifier = new Classifier({ folders: [join(dir.path, 'later')], log })
    expect((await classifier.report(ctx)).length).to.equal(0)
    expect((await classifier.report(ctx)).length).to.equal(0)
    expect(said).to.deep.equal(['the classifier failed: votes go out without scores until it works'])
    mkdirSync(join(dir.path, 'later'))
    copyFileSync(join(ownModels, 'model.onnx'), join(dir.path, 'later', 'any-name.onnx'))
    expect((await classifier.report(ctx)).length).to.be.greaterThan(0)
    expect(said.at(-1)).to.equal('the classifier works again')
  })

  it('misses a model that is to follow ahead of its time, and says when it is there', async () => {
    const folder = join(dir.path, 'next')
    const bytes = readFileSync(join(ownModels, 'model.onnx'))
    bytes.write('fornay', bytes.indexOf('fornax'))
    state.nextModel.set(ctx, { sha256: sha256(bytes), activationHeight: 500n })
    const classifier = new Classifier({ folders: [ownModels, folder], log })
    for (let height = 101n; height <= 210n; height++) {
      const report = await classifier.report(new Context(ctx.journal, { height } as Block, 'block'))
      expect(report.length).to.be.greaterThan(0)
      if (height === 199n) expect(said).to.have.length(1)
      if (height === 205n) {
        mkdirSync(folder)
        writeFileSync(join(folder, 'next.onnx'), bytes)
      }
    }
    const missing = 'the model that governance has named cannot be used'
    expect(said.map((text) => text.split(':')[0])).to.deep.equal([
      missing,
      missing,
      'the model that governance has named is there now',
    ])
    state.nextModel.delete(ctx)
  })

  it('of a chain whose model the node does not have keeps the node from starting', async function () {
    this.timeout(180_000)
    const home = join(dir.path, 'home')
    const run = async (...args: string[]) => fornaxd([...args, '--home', home])
    expect((await run('init', 'a-node', '--chain-id', 'fornax-9')).code).to.equal(0)
    await run('keys', 'add', 'operator', '--keyring-backend', 'test')
    await run('genesis', 'add-account', 'operator', '1000000000000000000000afrx', '--keyring-backend', 'test')
    await run('genesis', 'gentx', 'operator', '100000000000000000000afrx', '--keyring-backend', 'test')
    expect((await run('genesis', 'collect')).code).to.equal(0)
    const file = join(home, 'config', 'genesis.json')
    const genesis = JSON.parse(readFileSync(file, 'utf8'))
    genesis.app_state.classifier.model.sha256 = Buffer.alloc(32, 7).toString('base64')
    writeFileSync(file, JSON.stringify(genesis))
    const { code, stderr, stdout } = await run('start')
    expect(code).to.equal(1)
    expect(stdout + stderr).to.contain(`no model file with sha256 ${'07'.repeat(32)}`)
    expect(stderr).to.not.contain('not expected')
  })
})

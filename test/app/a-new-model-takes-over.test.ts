import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { AUTHORITY } from '../../core/authority.ts'
import { sha256, toHex } from '../../core/bytes.ts'
import { ownModelHash, ownModels } from '../../daemon/classifier/model-files.ts'
import { decodeReport, splitVoteExtension } from '../../modules/classifier/api.ts'
import type { QueryModelResponse } from '../../proto/gen/fornax/classifier/v1/query.ts'
import { message } from '../kit/app/governance.ts'
import { ScoredChain, shortVotes } from '../kit/app/scored-chain.ts'
import { tempDir } from '../kit/temp-dir.ts'

const FOUR = ['one', 'two', 'three', 'four']

describe('A model that governance names', () => {
  const dir = tempDir()
  let net: ScoredChain
  let other: Uint8Array
  after(() => dir.remove())
  afterEach(() => net?.stop())

  /** The same network under another name: another file, and the same scores. */
  before(() => {
    const bytes = readFileSync(join(ownModels, 'model.onnx'))
    bytes.write('fornay', bytes.indexOf('fornax'))
    mkdirSync(join(dir.path, 'there'))
    writeFileSync(join(dir.path, 'there', 'next.onnx'), bytes)
    other = sha256(bytes)
  })

  const models = (): Promise<QueryModelResponse> => net.chain.query('/fornax.classifier.v1.Query/Model')
  const update = (sha: Uint8Array, activationHeight: bigint) =>
    message('fornax.classifier.v1.MsgUpdateModel', {
      authority: AUTHORITY,
      model: { sha256: sha, activationHeight },
    })
  const reportOf = async (height: bigint): Promise<string> => {
    const { voteExtension } = await net.chain.app.extendVote({ height } as never)
    const { report } = splitVoteExtension(voteExtension)!
    return report.length === 0 ? '' : toHex(decodeReport(report)!.modelPrefix)
  }
  const prefix = (hash: Uint8Array): string => toHex(hash.subarray(0, 8))

  async function start(...folders: string[]): Promise<void> {
    net = await ScoredChain.start({ validators: FOUR, models: folders, appState: { gov: shortVotes() } })
    await net.blocks(3)
  }

  it('makes the scores from its height on, and nobody disagrees for it', async () => {
    await start(join(dir.path, 'there'))
    await net.pass(update(other, 20n))
    const { model, next } = await models()
    expect([toHex(model.sha256), toHex(next!.sha256)]).to.deep.equal([toHex(ownModelHash()!), toHex(other)])
    while (net.chain.height < 19n) await net.block()
    expect(await reportOf(20n)).to.equal(prefix(ownModelHash()!))
    await net.block()
    expect(await reportOf(21n)).to.equal(prefix(other))
    for (let i = 0; i < 5; i++) {
      await net.block()
      const { state } = await net.chain.query<{ state: { agreeing: number; degraded: boolean } }>(
        '/fornax.agents.v1.Query/Consensus',
      )
      expect(state, `height ${net.chain.height}`).to.include({ agreeing: 4, degraded: false })
    }
    expect(await net.decisions()).to.deep.equal({})
    const after = await models()
    expect([toHex(after.model.sha256), after.next]).to.deep.equal([toHex(other), undefined])
  })

  it('is refused from a user, for a height that has been, and with a hash that is none', async () => {
    await start(join(dir.path, 'there'))
    const byUser = await net.block({}, net.sign('one', update(other, 50n)))
    expect(byUser.txResults[0]!.code).to.not.equal(0)
    net.chain.user('one').sequence = await net.chain.sequence('one')
    await net.pass(update(other, 5n))
    expect((await models()).next).to.equal(undefined)
    await net.pass(update(new Uint8Array(31), 90n))
    expect((await models()).next).to.equal(undefined)
  })
})

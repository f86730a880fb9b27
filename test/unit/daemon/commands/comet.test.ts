import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { CONSENSUS_PREFIX, parseAddress } from '../../../../core/address.ts'
import { toBase64, toHex } from '../../../../core/bytes.ts'
import { readKeys } from '../../../../daemon/comet/keys.ts'
import { homeLayout } from '../../../../daemon/config/home.ts'
import { Store } from '../../../../daemon/store/store.ts'
import { fornaxd } from '../../../kit/fornaxd/fornaxd.ts'
import { tempDir } from '../../../kit/temp-dir.ts'

describe('fornaxd comet', function () {
  this.timeout(60_000)
  const dir = tempDir()
  const home = homeLayout(join(dir.path, 'home'))
  const run = (line: string, input = '') => fornaxd([...line.split(' '), '--home', home.path], input)
  before(() => run('init test'))
  after(() => dir.remove())

  it('shows the keys of the home, as create-validator and peers take them', async () => {
    const { nodeId, validator } = readKeys(home.path)
    const json = { '@type': '/cosmos.crypto.ed25519.PubKey', key: toBase64(validator.publicKey) }
    for (const name of ['comet', 'tendermint', 'cometbft'])
      expect((await run(`${name} show-validator`)).stdout).to.equal(`${JSON.stringify(json)}\n`)
    expect(JSON.parse((await run('comet show-validator --output json')).stdout)).to.deep.equal(json)
    expect((await run('comet show-node-id')).stdout).to.equal(`${nodeId}\n`)
    const address = (await run('comet show-address')).stdout.trim()
    expect(toHex(parseAddress(address, CONSENSUS_PREFIX))).to.equal(toHex(validator.address))
  })

  it('makes no keys where there are none', async () => {
    const { code, stdout, stderr } = await fornaxd([
      'comet',
      'show-validator',
      '--home',
      join(dir.path, 'no'),
    ])
    expect([code, stdout]).to.deep.equal([1, ''])
    expect(stderr).to.match(/^Error: [^\n]*node_key.json does not exist\n$/)
    expect(existsSync(join(dir.path, 'no'))).to.equal(false)
  })

  describe('reset', () => {
    const blocks = join(home.path, 'data', 'blockstore.db')
    const book = join(home.path, 'config', 'addrbook.json')
    const signed = '{"height": "77", "round": 1, "step": 3}'
    const openStore = () => Store.open({ path: home.store, stores: ['one'], pruning: { kind: 'nothing' } })

    beforeEach(async () => {
      mkdirSync(blocks, { recursive: true })
      writeFileSync(join(blocks, 'CURRENT'), 'of a database')
      writeFileSync(book, '{}')
      writeFileSync(home.validatorState, signed)
      await (await openStore()).close()
    })

    it('deletes blocks and state, and keeps keys, settings, genesis and what the validator has signed', async () => {
      const kept = [home.validatorKey, home.nodeKey, home.agentKey, home.appToml, home.genesis]
      const contents = () => kept.map((file) => readFileSync(file, 'utf8'))
      const before = contents()
      const { code, stdout, stderr } = await run('comet reset --yes')
      expect(code, stderr).to.equal(0)
      expect(stdout).to.match(
        /deleted in .*: data\/application.db, data\/blockstore.db, config\/addrbook.json/,
      )
      expect(stderr).to.match(/signs nothing up to height 77/)
      expect([blocks, home.store, book].map(existsSync)).to.deep.equal([false, false, false])
      expect(contents()).to.deep.equal(before)
      expect(readFileSync(home.validatorState, 'utf8')).to.equal(signed)
      expect((await run('comet reset --yes')).stdout).to.equal('there was nothing to delete\n')
    })

    it('keeps what was signed by the name that other chains have for it too, and the address book if asked', async () => {
      expect((await run('comet unsafe-reset-all --keep-addr-book --yes')).code).to.equal(0)
      expect(existsSync(blocks)).to.equal(false)
      expect(existsSync(book)).to.equal(true)
      expect(readFileSync(home.validatorState, 'utf8')).to.equal(signed)
    })

    it('forgets what was signed only where that is said', async () => {
      const { code, stderr } = await run('comet reset --unsafe-forget-signed --yes')
      expect([code, stderr]).to.deep.equal([0, ''])
      expect(JSON.parse(readFileSync(home.validatorState, 'utf8'))).to.deep.equal({
        height: '0',
        round: 0,
        step: 0,
      })
    })

    it('asks first, and deletes nothing unasked', async () => {
      const { code, stderr } = await run('comet reset')
      expect(code).to.equal(2)
      expect(stderr).to.match(/Add --yes/)
      expect(existsSync(blocks)).to.equal(true)
    })

    it('refuses beside a running node', async () => {
      const store = await openStore()
      const { code, stderr } = await run('comet reset --yes')
      await store.close()
      expect(code).to.equal(1)
      expect(stderr).to.match(/^Error: the node is running: stop it first/)
      expect([blocks, book, home.store].map(existsSync)).to.deep.equal([true, true, true])
    })

    it('deletes a damaged database, and refuses a signing state that it cannot read', async () => {
      writeFileSync(join(home.store, 'CURRENT'), 'damaged')
      writeFileSync(home.validatorState, '{')
      const refused = await run('comet reset --yes')
      expect([refused.code, existsSync(home.store)]).to.deep.equal([1, true])
      expect(refused.stderr).to.match(/priv_validator_state.json cannot be read as JSON/)
      writeFileSync(home.validatorState, signed)
      expect((await run('comet reset --yes')).code).to.equal(0)
      expect(existsSync(home.store)).to.equal(false)
    })

    it('is nothing for a folder that holds no node', async () => {
      const other = join(dir.path, 'other')
      mkdirSync(join(other, 'data'), { recursive: true })
      writeFileSync(join(other, 'data', 'mine'), '')
      const { code, stderr } = await fornaxd(['comet', 'reset', '--yes', '--home', other])
      expect(code).to.equal(1)
      expect(stderr).to.match(/no node in/)
      expect(existsSync(join(other, 'data', 'mine'))).to.equal(true)
      rmSync(other, { recursive: true })
    })
  })
})

import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { CometKeyError, cometKey, ensureKeys } from '../../../../daemon/comet/keys.ts'
import { FileError } from '../../../../daemon/files.ts'
import { tempDir } from '../../../kit/temp-dir.ts'

describe('comet keys', () => {
  const dir = tempDir()
  after(() => dir.remove())

  it('are ed25519 (RFC 8032, test 1), the address the first 20 bytes of the SHA-256', () => {
    const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex')
    const key = cometKey(seed)
    const publicKey = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'
    expect(Buffer.from(key.publicKey).toString('hex')).to.equal(publicKey)
    expect(Buffer.from(key.privateKey).toString('hex')).to.equal(seed.toString('hex') + publicKey)
    expect(Buffer.from(key.address).toString('hex')).to.equal('21fe31dfa154a261626bf854046fd2271b7bed4b')
  })

  it('are made once, for their owner alone, and never overwritten', () => {
    const home = join(dir.path, 'once')
    const first = ensureKeys(home)
    const files = ['config/node_key.json', 'config/priv_validator_key.json', 'data/priv_validator_state.json']
    for (const file of files) expect(statSync(join(home, file)).mode & 0o777, file).to.equal(0o600)
    writeFileSync(join(home, 'data/priv_validator_state.json'), '{"height":"7","round":0,"step":3}')
    const before = files.map((file) => readFileSync(join(home, file), 'utf8'))
    expect(ensureKeys(home)).to.deep.equal(first)
    expect(files.map((file) => readFileSync(join(home, file), 'utf8'))).to.deep.equal(before)
  })

  it('are refused where the signing state is lost but blocks are there', () => {
    const home = join(dir.path, 'lost')
    ensureKeys(home)
    const state = join(home, 'data/priv_validator_state.json')
    rmSync(state)
    mkdirSync(join(home, 'data/blockstore.db'))
    expect(() => ensureKeys(home)).to.throw(CometKeyError, 'could sign twice')
    expect(existsSync(state)).to.equal(false)
  })

  it('are refused where the validator key is lost but blocks are there, and no other is made', () => {
    const home = join(dir.path, 'keyless')
    ensureKeys(home)
    const key = join(home, 'config/priv_validator_key.json')
    rmSync(key)
    mkdirSync(join(home, 'data/blockstore.db'))
    expect(() => ensureKeys(home)).to.throw(
      CometKeyError,
      /priv_validator_key\.json is missing.*: restore it, .*; if a new key is meant, .*fornaxd init/,
    )
    expect(existsSync(key)).to.equal(false)
  })

  it('are refused with the cause where a file cannot be read', () => {
    const home = join(dir.path, 'unreadable')
    ensureKeys(home)
    const path = join(home, 'config/node_key.json')
    rmSync(path)
    mkdirSync(path)
    expect(() => ensureKeys(home)).to.throw(CometKeyError, 'node_key.json cannot be read (EISDIR)')
  })

  it('are refused with the cause where they cannot be written', () => {
    const home = join(dir.path, 'unwritable')
    mkdirSync(home)
    writeFileSync(join(home, 'config'), '')
    expect(() => ensureKeys(home)).to.throw(FileError, /config\/node_key\.json cannot be written \(E\w+\)$/)
  })

  it('are refused where a file holds something else', () => {
    const home = join(dir.path, 'odd')
    ensureKeys(home)
    const path = join(home, 'config/node_key.json')
    writeFileSync(path, '{}')
    expect(() => ensureKeys(home)).to.throw(CometKeyError, 'holds no ed25519 key')
    writeFileSync(path, 'nonsense')
    expect(() => ensureKeys(home)).to.throw(CometKeyError, 'cannot be read as JSON')
    writeFileSync(path, JSON.stringify({ priv_key: { value: Buffer.alloc(64, 1).toString('base64') } }))
    expect(() => ensureKeys(home)).to.throw(CometKeyError, "is not its private key's")
    expect(readFileSync(path, 'utf8')).to.include('priv_key')
  })
})

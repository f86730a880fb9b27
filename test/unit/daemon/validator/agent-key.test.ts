import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { verifyEd25519 } from '../../../../core/crypto/ed25519.ts'
import { CometKeyError, signEd25519 } from '../../../../daemon/comet/keys.ts'
import { ensureAgentKey, readAgentKeys, rotateAgentKey } from '../../../../daemon/validator/agent-key.ts'
import { tempDir } from '../../../kit/temp-dir.ts'

describe('the agent key', () => {
  const dir = tempDir()
  after(() => dir.remove())

  it('is made once, for its owner alone, and signs', () => {
    const file = join(dir.path, 'once/agent_key.json')
    const { current, previous } = ensureAgentKey(file)
    expect(previous).to.deep.equal([])
    expect(statSync(file).mode & 0o777).to.equal(0o600)
    const before = readFileSync(file, 'utf8')
    expect(ensureAgentKey(file).current).to.deep.equal(current)
    expect(readFileSync(file, 'utf8')).to.equal(before)
    const message = Uint8Array.of(1, 2, 3)
    expect(verifyEd25519(current.publicKey, message, signEd25519(current, message))).to.equal(true)
  })

  it('is rotated with the last four kept, the newest first', () => {
    const file = join(dir.path, 'agent_key.json')
    const keys = [ensureAgentKey(file).current]
    for (let i = 0; i < 6; i++) keys.unshift(rotateAgentKey(file).current)
    expect(readAgentKeys(file)).to.deep.equal({ current: keys[0], previous: keys.slice(1, 5) })
    expect(statSync(file).mode & 0o777).to.equal(0o600)
  })

  it('is refused where the file holds something else', () => {
    const file = join(dir.path, 'odd.json')
    const { current } = ensureAgentKey(file)
    const good = JSON.parse(readFileSync(file, 'utf8'))
    for (const text of ['', 'null', '{}', '[]', '{"priv_key":{"value":"AAAA"}}']) {
      writeFileSync(file, text)
      expect(() => readAgentKeys(file), text).to.throw(CometKeyError, file)
    }
    for (const previous of [{}, [{}], 'x']) {
      writeFileSync(file, JSON.stringify({ ...good, previous }))
      expect(() => readAgentKeys(file)).to.throw(CometKeyError, file)
    }
    writeFileSync(file, JSON.stringify({ priv_key: good.priv_key }))
    expect(readAgentKeys(file)).to.deep.equal({ current, previous: [] })
  })
})

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'

const script = new URL('../kit/app/determinism-run.js', import.meta.url).pathname

async function run(env: Record<string, string>, ...args: string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], {
    env: { ...process.env, ...env },
  })
  return stdout.trim().split('\n')
}

describe('the same blocks', () => {
  it('give the same app hashes, codes and gas in another time zone and locale, with restarts between', async function () {
    this.timeout(240_000)
    const plain = await run({ TZ: 'UTC', LANG: 'C' })
    const elsewhere = await run(
      { TZ: 'Pacific/Chatham', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
      'restarts',
    )
    expect(plain).to.have.length(30)
    expect(new Set(plain.map((line) => line.split(' ')[1])).size).to.be.greaterThan(25)
    expect(elsewhere).to.deep.equal(plain)
  })
})

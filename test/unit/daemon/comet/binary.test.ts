import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { isSupported, locateComet } from '../../../../daemon/comet/binary.ts'
import { tempDir } from '../../../kit/temp-dir.ts'

describe('comet binary', () => {
  const dir = tempDir()
  after(() => dir.remove())

  function script(name: string, body: string): string {
    const path = join(dir.path, name)
    writeFileSync(path, `#!/bin/sh\n${body}\n`)
    chmodSync(path, 0o755)
    return path
  }
  const failure = (options: Parameters<typeof locateComet>[0]) =>
    locateComet({ progress: () => {}, ...options }).then(
      (path) => `found ${path}`,
      (error: Error) => `${error.name}: ${error.message}`,
    )

  it('may be any 0.38 from 0.38.25 on', () => {
    for (const good of ['0.38.25', 'v0.38.25', '0.38.30', '0.38.25+abcdef'])
      expect(isSupported(good), good).to.equal(true)
    const bad = ['0.38.24', '0.38.3', '0.38.250-rc1', '0.37.25', '0.39.4', '1.0.1', '', '0.38.x', '10.38.25']
    for (const version of bad) expect(isSupported(version), version).to.equal(false)
  })

  it('is the named one where its version fits', async () => {
    const named = script('named', 'echo 0.38.26')
    expect(await locateComet({ env: { ...process.env, FORNAX_COMETBFT: named } })).to.equal(named)
    const old = script('old', 'echo 0.37.5')
    expect(await failure({ env: { ...process.env, FORNAX_COMETBFT: old } })).to.equal(
      `CometBinaryError: FORNAX_COMETBFT names ${old}, which is version 0.37.5: 0.38.25 or a later 0.38 is needed`,
    )
    expect(await failure({ env: { ...process.env, FORNAX_COMETBFT: '/nonexistent' } })).to.match(
      /^CometBinaryError: FORNAX_COMETBFT names \/nonexistent, which does not run: /,
    )
  })

  it('is built once, by a Go that is new enough', async () => {
    const bin = join(dir.path, 'bin')
    const cacheDir = join(dir.path, 'cache')
    mkdirSync(bin)
    const env = { PATH: `${bin}:/bin:/usr/bin` }
    const goAt = (version: string) =>
      script(
        'bin/go',
        `[ "$1" = env ] && { echo ${version}; exit; }\necho "$@ CGO_ENABLED=$CGO_ENABLED" >> ${dir.path}/calls
while [ $# -gt 0 ]; do [ "$1" = -o ] && echo built > "$2"; shift; done`,
      )

    goAt('go1.22.9')
    expect(await failure({ cacheDir, env })).to.equal(
      'CometBinaryError: CometBFT must be built and Go is go1.22.9. Install Go 1.23 or later (https://go.dev/dl), ' +
        'or set FORNAX_COMETBFT to a CometBFT 0.38 binary (0.38.25 or later).',
    )
    expect(await failure({ cacheDir, env: { PATH: '/nonexistent' } })).to.match(
      /there is no working Go\. Install/,
    )
    goAt('go1.23.1')
    const [one, two] = await Promise.all([failure({ cacheDir, env }), failure({ cacheDir, env })])
    expect(one).to.equal(`found ${join(cacheDir, 'cometbft-v0.38.25')}`)
    expect(two).to.equal(one)
    expect(readdirSync(cacheDir)).to.deep.equal(['cometbft-v0.38.25'])
    expect(readFileSync(join(dir.path, 'calls'), 'utf8')).to.include('CGO_ENABLED=0')
    writeFileSync(join(dir.path, 'calls'), '')
    await locateComet({ cacheDir, env })
    expect(readFileSync(join(dir.path, 'calls'), 'utf8')).to.equal('')
  })

  it('is not there after a build that failed', async () => {
    const cacheDir = join(dir.path, 'failed')
    script('bin/go', '[ "$1" = env ] && { echo go1.26.0; exit; }\necho "no network" >&2; exit 1')
    const env = { PATH: `${join(dir.path, 'bin')}:/bin:/usr/bin` }
    expect(await failure({ cacheDir, env })).to.equal(
      'CometBinaryError: building CometBFT failed:\nno network',
    )
    expect(existsSync(join(cacheDir, 'cometbft-v0.38.25'))).to.equal(false)
    expect(readdirSync(cacheDir)).to.deep.equal([])
  })
})

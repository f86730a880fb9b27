import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect } from 'chai'
import { tempDir } from '../../kit/temp-dir.ts'

describe('bin/install.sh', function () {
  this.timeout(60_000)
  const dir = tempDir()
  after(() => dir.remove())
  const prefix = join(dir.path, 'a prefix')
  const program = join(prefix, 'bin', 'fornaxd')
  const script = resolve('bin/install.sh')
  const run = (what: string, path = process.env['PATH']) =>
    spawnSync(script, [what, prefix], { encoding: 'utf8', env: { PATH: path } })

  it('puts a program on the PATH that works from anywhere, and takes it away again', () => {
    const { status, stdout } = run('install')
    expect(status).to.equal(0)
    expect(stdout).to.match(/is not on your PATH: add {2}export PATH=/)
    expect(run('install', `${dirname(program)}:${process.env['PATH']}`).stdout).to.not.match(
      /not on your PATH/,
    )
    expect(realpathSync(program)).to.equal(resolve('bin/fornaxd'))
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(execFileSync(program, ['version'], { cwd: dir.path, encoding: 'utf8' })).to.equal(`${version}\n`)
    expect(run('uninstall').status).to.equal(0)
    expect(existsSync(program)).to.equal(false)
    expect(run('uninstall').stdout).to.match(/there is no/)
  })

  it('replaces and removes nothing that is not its own', () => {
    mkdirSync(dirname(program), { recursive: true })
    writeFileSync(program, 'mine')
    const { status, stderr } = run('install')
    expect(status).to.equal(1)
    expect(stderr).to.match(/none of ours/)
    run('uninstall')
    expect(readFileSync(program, 'utf8')).to.equal('mine')
  })
})

import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { readInfo } from '../../localnet/info.ts'
import { cometBinary } from '../kit/comet/comet.ts'
import { eventually } from '../kit/eventually.ts'
import { type Family, startFamily } from '../kit/fornaxd/family.ts'
import { nodeWorks } from '../kit/fornaxd/own-node.ts'
import { tempDir } from '../kit/temp-dir.ts'

const program = fileURLToPath(new URL('../../localnet/main.js', import.meta.url))

describe('a local network that nothing hangs', function () {
  this.timeout(120_000)
  let dir: ReturnType<typeof tempDir>
  let net: Family

  before(async function () {
    this.timeout(300_000)
    await cometBinary()
  })
  beforeEach(() => {
    dir = tempDir()
    net = startFamily(process.execPath, [program, 'start', '--validators', '1', '--slot', '300ms'], {
      cwd: dir.path,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  })
  afterEach(async () => {
    net.child.kill('SIGKILL')
    await net.ended()
    dir.remove()
  })
  const says = (text: string): Promise<void> =>
    new Promise((resolve) => {
      let said = ''
      net.child.stdout?.setEncoding('utf8').on('data', (more: string) => {
        said += more
        if (said.includes(text)) resolve()
      })
    })

  it('goes on when the reader of its output goes away, and stops at SIGTERM', async () => {
    await says('Making keys')
    net.child.stdout?.destroy()
    net.child.stderr?.destroy()
    const info = await eventually('its facts', () => readInfo(`${dir.path}/.localnet`))
    await nodeWorks(info.nodes[0]!, () => net.child.exitCode !== null)
    net.child.kill('SIGTERM')
    expect(await net.ended()).to.deep.equal({ code: 0, signal: null })
  })

  it('leaves no node behind when it is stopped as it starts', async () => {
    await says('Starting 1 node')
    net.child.kill('SIGINT')
    expect(await net.ended()).to.deep.equal({ code: 0, signal: null })
  })

  it('tells why it ends at a second signal as it starts', async () => {
    let told = ''
    net.child.stderr?.setEncoding('utf8').on('data', (more: string) => (told += more))
    await says('Starting 1 node')
    net.child.kill('SIGINT')
    net.child.kill('SIGTERM')
    expect(await net.ended()).to.deep.equal({ code: 1, signal: null })
    expect(told).to.match(/\nError: a second signal, SIG(INT|TERM): .*\n$/)
  })

  it('leaves no node behind at a second signal', async () => {
    await says('Try:')
    net.child.kill('SIGTERM')
    await says('Stopping')
    net.child.kill('SIGTERM')
    expect((await net.ended()).signal).to.equal(null)
  })
})

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { AbciHandler } from '../../daemon/abci/handler.ts'
import { type AbciServer, serveAbci } from '../../daemon/abci/server.ts'
import { cometRpc } from '../../daemon/client/rpc.ts'
import { HomeInUseError } from '../../daemon/comet/pid-file.ts'
import {
  type CometStatus,
  type CometSupervisor,
  type SupervisorOptions,
  superviseComet,
} from '../../daemon/comet/supervisor.ts'
import { acceptingHandler, recordingLog } from '../kit/abci/handler.ts'
import { type CometHome, cometBinary, cometHome } from '../kit/comet/comet.ts'
import { eventually } from '../kit/eventually.ts'
import { tempDir } from '../kit/temp-dir.ts'

describe('CometBFT is kept running', () => {
  let binary: string
  let dir: ReturnType<typeof tempDir>
  let node: CometHome
  let log: ReturnType<typeof recordingLog>
  let statuses: CometStatus[]
  let server: AbciServer | undefined
  let comet: CometSupervisor | undefined
  let parent: ChildProcess | undefined

  before(async function () {
    this.timeout(300_000)
    binary = await cometBinary()
  })
  beforeEach(async () => {
    dir = tempDir()
    node = await cometHome(dir.path)
    log = recordingLog()
    statuses = []
  })
  afterEach(async () => {
    parent?.kill('SIGKILL')
    await comet?.stop()
    await server?.close()
    dir.remove()
  })

  async function serve(handler: Partial<AbciHandler> = {}) {
    server = await serveAbci({
      address: node.appAddress,
      handler: acceptingHandler(handler),
      onFatal: () => {},
      log,
    })
  }
  async function supervise(options: Partial<SupervisorOptions> = {}) {
    const { home, rpcUrl } = node
    const onStatus = (status: CometStatus) => statuses.push(status)
    comet = await superviseComet({
      binary,
      home,
      rpcUrl,
      log,
      onStatus,
      watchMs: 50,
      backOffMs: 50,
      ...options,
    })
    return comet
  }
  const height = () =>
    cometRpc(node.rpcUrl)
      .status()
      .then(
        (status) => Number(status.sync_info.latest_block_height),
        () => 0,
      )
  const causes = () => statuses.flatMap((status) => (status.state === 'restarting' ? [status.cause] : []))

  it('after it was killed', async () => {
    await serve()
    const { pid = 0 } = await supervise()
    const before = await eventually('a block', height)
    process.kill(pid, 'SIGKILL')
    await eventually('two more blocks', async () => (await height()) > before + 1)
    expect(causes()).to.deep.equal(['ended by SIGKILL'])
    expect(comet?.restarts).to.equal(1)
    expect(log.lines.some((line) => line.message === 'last lines of CometBFT')).to.equal(true)
  })

  it('after the application broke off', async () => {
    const handler = acceptingHandler()
    await serve(handler)
    await supervise()
    const before = await eventually('a block', height)
    await server?.close()
    await eventually('the exit', () => causes().length > 0)
    expect(causes()[0]).to.equal('its connection to the application broke')
    await serve(handler)
    await eventually('two more blocks', async () => (await height()) > before + 1)
  })

  it('after its consensus routine panicked', async () => {
    let panics = true
    await serve({
      prepareProposal: ({ txs, maxTxBytes }) => ({
        txs: panics ? [new Uint8Array(Number(maxTxBytes) + 1)] : txs,
      }),
    })
    await supervise({ graceMs: 1000 })
    await eventually('the report', () => causes().length > 0)
    panics = false
    expect(causes()[0]).to.equal('its consensus routine has panicked')
    await eventually('a block', height)
  })

  it('and is told to be halted while proposals are refused, not restarted', async () => {
    await serve({ processProposal: () => ({ status: 2 }) })
    await supervise({ idleMs: 5000 })
    await eventually('the report', () =>
      statuses.some((status) => status.state === 'progress' && status.progress.kind === 'halted'),
    )
    expect(causes()).to.deep.equal([])
  })

  it('and ends when its supervisor does, before the application', async () => {
    await serve()
    const { pid = 0 } = await supervise()
    await eventually('a block', height)
    expect(existsSync(join(node.home, 'comet.pid'))).to.equal(true)
    await comet?.stop()
    expect(isAlive(pid)).to.equal(false)
    expect(existsSync(join(node.home, 'comet.pid'))).to.equal(false)
    expect(statuses.at(-1)).to.deep.equal({ state: 'stopped' })
    expect(causes()).to.deep.equal([])
  })

  it('and ends with a node that was killed, be it deciding or still dialling', async () => {
    for (const address of [node.appAddress, 'none']) {
      const pid = await startParent(address)
      if (address !== 'none') await eventually('a block', height)
      expect(isAlive(pid)).to.equal(true)
      parent?.kill('SIGKILL')
      await eventually(`the end of CometBFT (${address})`, () => !isAlive(pid), 20_000)
    }
  }).timeout(120_000)

  it('and ends with a node that was killed even where it would stay for ever', async () => {
    const stuck = join(dir.path, 'stuck')
    writeFileSync(stuck, '#!/bin/sh\nexec sleep 300\n', { mode: 0o755 })
    const pid = await startParent('none', stuck)
    expect(isAlive(pid)).to.equal(true)
    parent?.kill('SIGKILL')
    await eventually('its end', () => !isAlive(pid), 20_000)
  })

  it('and one left behind is ended before the next is started', async () => {
    await serve()
    const left = spawn(binary, ['start', '--home', node.home], { stdio: 'ignore' })
    const before = await eventually('a block', height)
    writeFileSync(join(node.home, 'comet.pid'), `${left.pid} ${process.pid}\n`)
    await supervise()
    await eventually('its end', () => left.exitCode !== null || left.signalCode !== null)
    await eventually('two more blocks', async () => (await height()) > before + 1)
    expect(log.lines.filter((line) => line.message.startsWith('ended a CometBFT that'))).to.have.length(1)
  })

  it('and no other process than a CometBFT of this home is ended for it', async () => {
    const other = spawn('sleep', ['30'], { stdio: 'ignore' })
    writeFileSync(join(node.home, 'comet.pid'), `${other.pid} 2\n`)
    await serve()
    await supervise()
    await eventually('a block', height)
    expect(other.exitCode ?? other.signalCode).to.equal(null)
    other.kill('SIGKILL')
  })

  it('by one process for each home', async () => {
    const pid = await startParent('none')
    const error = await supervise().catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(HomeInUseError)
    expect(isAlive(pid)).to.equal(true)
    process.kill(pid, 'SIGKILL')
  })

  async function startParent(address: string, program = binary): Promise<number> {
    const parentProgram = join(import.meta.dirname, '../kit/comet/supervised-node.js')
    const child = spawn(process.execPath, [parentProgram, program, node.home, node.rpcUrl, address])
    parent = child
    return new Promise((resolve) => child.stdout.once('data', (text) => resolve(Number(text))))
  }
})

/** Whether the process runs; one that has ended and waits to be reaped does not. */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat[stat.lastIndexOf(')') + 2] !== 'Z'
  } catch {
    return false
  }
}

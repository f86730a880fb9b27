import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  type CometStatus,
  type CometSupervisor,
  type SupervisorOptions,
  superviseComet,
} from '../../../../daemon/comet/supervisor.ts'
import { recordingLog } from '../../../kit/abci/handler.ts'
import { eventually } from '../../../kit/eventually.ts'
import { tempDir } from '../../../kit/temp-dir.ts'

describe('comet supervisor', () => {
  let dir: ReturnType<typeof tempDir>
  let log: ReturnType<typeof recordingLog>
  let statuses: CometStatus[]
  let comet: CometSupervisor | undefined
  beforeEach(() => {
    dir = tempDir()
    log = recordingLog()
    statuses = []
  })
  afterEach(async () => {
    await comet?.stop()
    dir.remove()
  })

  async function supervise(body: string, graceMs = 500, more: Partial<SupervisorOptions> = {}) {
    const binary = join(dir.path, 'cometbft')
    writeFileSync(binary, `#!/bin/sh\n${body}\n`)
    chmodSync(binary, 0o755)
    comet = await superviseComet({
      binary,
      home: dir.path,
      rpcUrl: 'http://127.0.0.1:1',
      log,
      graceMs,
      backOffMs: 10,
      onStatus: (status) => statuses.push(status),
      ...more,
    })
  }
  const pauses = () => statuses.flatMap((status) => (status.state === 'restarting' ? [status.inMs] : []))

  it('pauses longer and longer while CometBFT fails', async () => {
    await supervise('echo "panic: no genesis" >&2; exit 1')
    await eventually('five failures', () => pauses().length >= 5)
    expect(pauses().slice(0, 5)).to.deep.equal([10, 20, 40, 80, 160])
    const [lines] = log.lines.filter((line) => line.message === 'last lines of CometBFT')
    expect(lines?.fields).to.deep.equal({ lines: ['panic: no genesis'] })
  })

  it('is given up after six failures, with what CometBFT said last', async () => {
    const failures: Error[] = []
    const body = 'echo x >> starts; echo "panic: no genesis" >&2; echo "goroutine 1 [running]:" >&2; exit 2'
    await supervise(`cd ${dir.path}; ${body}`, 500, { onGivenUp: (failure) => failures.push(failure) })
    await eventually('the end', () => failures.length > 0)
    expect(failures.map(({ message }) => message)).to.deep.equal([
      'CometBFT has failed 6 times in a row, and is not started again: it exited with code 2: no genesis',
    ])
    expect(readFileSync(join(dir.path, 'starts'), 'utf8')).to.equal('x\n'.repeat(6))
  })

  it('is given up at the second failure where that lasts', async () => {
    const failures: Error[] = []
    const told = 'ERROR: failed to start: listen tcp 127.0.0.1:26657: bind: address already in use'
    await supervise(`echo "${told}" >&2; exit 1`, 500, { onGivenUp: (failure) => failures.push(failure) })
    await eventually('the end', () => failures.length > 0)
    expect(failures[0]?.message).to.match(
      /failed 2 times in a row.*: failed to start: .*address already in use$/,
    )
    expect(pauses()).to.deep.equal([10])
  })

  it('starts nothing before what is to be done before', async () => {
    const refused = new Error('a port is taken')
    const attempt = supervise(`echo x > ${dir.path}/started`, 500, {
      beforeStart: () => Promise.reject(refused),
    })
    expect(await attempt.catch((error: unknown) => error)).to.equal(refused)
    expect(existsSync(join(dir.path, 'started'))).to.equal(false)
  })

  it('restarts at once after a proper exit, but does not spin', async () => {
    await supervise('exit 0')
    await eventually('three exits', () => pauses().length >= 3)
    expect(pauses().slice(0, 3)).to.deep.equal([0, 20, 40])
  })

  it('starts nothing more once it is stopped in a pause', async () => {
    await supervise(`echo x >> ${dir.path}/starts; exit 1`)
    await eventually('a pause', () => pauses().at(-1) === 160)
    await comet?.stop()
    const starts = readFileSync(join(dir.path, 'starts'), 'utf8')
    await new Promise((resolve) => setTimeout(resolve, 250))
    expect(readFileSync(join(dir.path, 'starts'), 'utf8')).to.equal(starts)
  })

  it('kills a CometBFT that does not end, after its grace', async () => {
    await supervise(`trap "" TERM; echo '{"_msg":"up","level":"info"}'; while :; do sleep 0.05; done`, 100)
    await eventually('its start', () => log.lines.some((line) => line.message === 'up'))
    await comet?.stop()
    expect(statuses.at(-1)).to.deep.equal({ state: 'stopped' })
  })

  it('says so where the binary cannot be run', async () => {
    comet = await superviseComet({
      binary: join(dir.path, 'none'),
      home: dir.path,
      rpcUrl: 'http://127.0.0.1:1',
      log,
      onStatus: (status) => statuses.push(status),
    })
    await eventually('the report', () => pauses().length > 0)
    expect(log.lines.map((line) => line.message)).to.include('CometBFT cannot be started')
  })

  it('folds CometBFT’s lines into the log, a level quieter', async () => {
    const lines = [
      '{"_msg":"service start","level":"info","module":"p2p","msg":"Starting p2p","ts":"2026-01-01T00:00:00Z"}',
      '{"_msg":"dialing failed","level":"error","module":"p2p","err":"refused"}',
      'not json',
    ]
    await supervise(`${lines.map((line) => `echo '${line}'`).join('\n')}\nsleep 5`)
    await eventually('the lines', () => log.lines.some((line) => line.message === 'not json'))
    expect(log.lines.slice(-3)).to.deep.equal([
      { level: 'debug', fields: { module: 'p2p' }, message: 'Starting p2p' },
      { level: 'warn', fields: { module: 'p2p', err: 'refused' }, message: 'dialing failed' },
      { level: 'warn', fields: {}, message: 'not json' },
    ])
  })

  it('does not warn of refused proposals while the application refuses all', async () => {
    const rejected =
      '{"_msg":"prevote step: state machine rejected a proposed block; this should not happen:the proposer may be misbehaving; prevoting nil","level":"error","module":"consensus"}'
    const other = '{"_msg":"dialing failed","level":"error","module":"p2p"}'
    const go = join(dir.path, 'go')
    let refusesAll = false
    await supervise(
      `echo '${rejected}'; while [ ! -e ${go} ]; do sleep 0.02; done; echo '${rejected}'; echo '${other}'; sleep 5`,
      500,
      { refusesAll: () => refusesAll },
    )
    const levels = () =>
      log.lines.filter(({ message }) => /rejected|dialing/.test(message)).map(({ level }) => level)
    await eventually('the first', () => levels().length === 1)
    refusesAll = true
    writeFileSync(go, '')
    await eventually('all', () => levels().length === 3)
    expect(levels()).to.deep.equal(['warn', 'debug', 'warn'])
  })
})

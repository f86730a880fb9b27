import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { readConfig } from '../../daemon/config/file.ts'
import { homeLayout } from '../../daemon/config/home.ts'
import { cometBinary } from '../kit/comet/comet.ts'
import { fornaxd, type Run } from '../kit/fornaxd/fornaxd.ts'
import { type OwnNode, ownNode } from '../kit/fornaxd/own-node.ts'
import { tempDir } from '../kit/temp-dir.ts'

describe('an accident is told in one sentence, as the last line of the log:', function () {
  this.timeout(120_000)
  let dir: ReturnType<typeof tempDir>
  let node: OwnNode

  before(async function () {
    this.timeout(300_000)
    await cometBinary()
    dir = tempDir()
    node = await ownNode(dir.path, 'fornax-7')
    const { child, ended, works } = node.start('ignore')
    await works()
    child.kill('SIGTERM')
    await ended()
  })
  after(() => dir.remove())

  /** Starts the node, which is to refuse, and answers the last line of its log. */
  async function refusal(...options: string[]): Promise<string> {
    const run: Run = await fornaxd(['start', '--home', node.home.path, ...options])
    expect([run.code, run.stdout], run.stderr).to.deep.equal([1, ''])
    expect(run.stderr).to.not.match(/goroutine|This was not expected/)
    return run.stderr.trimEnd().split('\n').at(-1)!
  }

  for (const setting of [
    'comet.rpc_address',
    'comet.p2p_address',
    'rest.address',
    'jsonrpc.address',
    'metrics.address',
  ])
    it(`a taken port, with its setting: ${setting}`, async () => {
      const [section, name] = setting.split('.') as ['comet', 'rpc_address']
      const { port } = readConfig(node.home.appToml)[section][name]
      const other = await new Promise<Server>((resolve) => {
        const server = createServer().listen(port, '127.0.0.1', () => resolve(server))
      })
      const told = await refusal()
      other.close()
      expect(told).to.equal(
        `Error: ${setting}: cannot listen on 127.0.0.1:${port}: another program listens there`,
      )
    })

  it('blocks of CometBFT that are gone below a state, and comet reset begins again', async () => {
    const [blocks] = node.home.cometData
    const kept = `${blocks}.kept`
    execFileSync('mv', [blocks!, kept])
    const told = await refusal()
    expect(told).to.match(
      /^Error: .*blockstore\.db is missing, but the application is at height \d+: .*fornaxd comet reset/,
    )
    execFileSync('mv', [kept, blocks!])
  })

  it('a genesis file that has changed, and only that: its form is nothing', async () => {
    const before = readFileSync(node.home.genesis, 'utf8')
    const document = JSON.parse(before)
    const funds = document.app_state.bank.balances[0].coins[0]
    funds.amount = `${BigInt(funds.amount) + 1n}`
    writeFileSync(node.home.genesis, JSON.stringify(document))
    expect(await refusal()).to.match(
      /^Error: .*genesis\.json is not what this node began with .* though the chain id is the same: put that one back/,
    )
    const { app_state, ...others } = JSON.parse(before)
    writeFileSync(node.home.genesis, JSON.stringify({ app_state, ...others }))
    const { child, ended, works } = node.start('ignore')
    await works()
    child.kill('SIGTERM')
    expect(await ended()).to.deep.equal({ code: 0, signal: null })
    writeFileSync(node.home.genesis, before)
  })

  it('a genesis file that has changed before the first block is committed, and in what', async () => {
    const before = readFileSync(node.home.genesis, 'utf8')
    const [kept, document] = [`${node.home.store}.kept`, JSON.parse(before)]
    execFileSync('mv', [node.home.store, kept])
    const changed = async (change: object): Promise<string> => {
      writeFileSync(node.home.genesis, JSON.stringify({ ...document, ...change }))
      return refusal()
    }
    const told = (what: string): RegExp =>
      new RegExp(
        `^Error: .*another ${what} than the one that CometBFT's data began with.*fornaxd comet reset`,
      )
    const { bank, ...others } = document.app_state
    const more = { ...bank, balances: bank.balances.slice(0, -1), supply: [] }
    expect(await changed({ app_state: { ...others, bank: more } })).to.match(told('app_state'))
    expect(await changed({ genesis_time: '2026-01-01T00:00:00Z' })).to.match(told('genesis_time'))
    const { app_state, ...first } = document
    writeFileSync(node.home.genesis, JSON.stringify({ app_state, ...first }, null, 4))
    const { child, ended, works } = node.start('ignore')
    await works()
    child.kill('SIGTERM')
    expect(await ended()).to.deep.equal({ code: 0, signal: null })
    rmSync(node.home.store, { recursive: true })
    execFileSync('mv', [kept, node.home.store])
    writeFileSync(node.home.genesis, before)
  })

  it('CometBFT’s data that are damaged, in its own words and after few tries', async () => {
    const file = join(node.home.cometData[1]!, 'CURRENT')
    const before = readFileSync(file)
    writeFileSync(file, 'MANIFEST-999999\n')
    const told = await refusal()
    writeFileSync(file, before)
    expect(told).to.match(
      /^Error: the node has stopped after a fatal error: CometBFT has failed \d times in a row, and is not started again: it exited with code 1: failed to create node: .*database .*corrupted$/,
    )
  })

  it('a disk that is full, or a home that is read-only, at the start', async function () {
    const inNamespace = (script: string, ...args: string[]): string =>
      execFileSync(
        'unshare',
        ['--user', '--map-root-user', '--mount', 'sh', '-c', `${script} 2>&1 || true`, ...args],
        {
          encoding: 'utf8',
          timeout: 60_000,
        },
      )
    const mount = join(dir.path, 'full')
    mkdirSync(mount)
    try {
      inNamespace('mount -t tmpfs tmpfs "$0" && echo mounted', mount)
    } catch {
      this.skip()
    }
    const script = (mounted: string): string =>
      `mount -t tmpfs -o size=400k tmpfs "$0" && cp -r "$1/config" "$0" && mkdir "$0/data" && ${mounted} && bin/fornaxd start --home "$0"`
    const full = inNamespace(script('(cat /dev/zero > "$0/fill" 2>/dev/null; true)'), mount, node.home.path)
    expect(full.trimEnd().split('\n').at(-1)).to.match(/^Error: .*: the disk is full \(ENOSPC\)$/)
    const readOnly = inNamespace(script('mount -o remount,ro "$0"'), mount, node.home.path)
    expect(readOnly.trimEnd().split('\n').at(-1)).to.match(
      /^Error: .*: the file system is read-only \(EROFS\)$/,
    )
  })

  it('nothing of unfinished files, which go at the next start', async () => {
    const names = [
      'config/write-file-atomic-0123456789',
      'data/write-file-atomic-9',
      'config/app.toml.0123456789ab.tmp',
    ]
    const [old, ...others] = names.map((name) => join(node.home.path, name)) as [string, ...string[]]
    const fresh = join(node.home.path, 'config/write-file-atomic-77')
    const mine = join(node.home.path, 'config/notes.tmp')
    for (const file of [old, ...others, fresh, mine]) writeFileSync(file, '')
    for (const file of [old, ...others, mine]) utimesSync(file, 1, 1)
    const { child, ended, works } = node.start('ignore')
    await works()
    child.kill('SIGTERM')
    await ended()
    expect([old, ...others, fresh, mine].map(existsSync)).to.deep.equal([false, false, false, true, true])
    rmSync(fresh)
  })

  it('a command that asks this home’s node, where another home’s answers at its address', async () => {
    const home = join(dir.path, 'other')
    const from = readConfig(node.home.appToml)
    const at = (address: { host: string; port: number }): string => `${address.host}:${address.port}`
    await fornaxd(['init', 'other', '--home', home])
    for (const [name, value] of [
      ['comet.rpc_address', at(from.comet.rpc_address)],
      ['rest.address', at(from.rest.address)],
      ['keyring.backend', 'test'],
    ] as const)
      await fornaxd(['config', 'set', name, value, '--home', home])
    await fornaxd(['keys', 'add', 'op', '--home', home])
    const run = (line: string, folder: string, env = {}) =>
      fornaxd([...line.split(' '), '--home', folder], '', env)
    const id = async (folder: string) => (await run('comet show-node-id', folder)).stdout.trim()
    const rpc = `http://${at(from.comet.rpc_address)}`
    const rest = `http://${at(from.rest.address)}`
    const told = (url: string, running: string, own: string): RegExp =>
      new RegExp(
        `^Error: at ${url} answers the node "fornax" \\(${running}\\), not that of ${home} \\(${own}\\)`,
      )
    const { child, ended, works } = node.start('ignore')
    await works()
    const [running, own] = [await id(node.home.path), await id(home)]
    for (const [line, url, setting] of [
      ['status', rpc, 'comet.rpc_address'],
      ['status --wait', rpc, 'comet.rpc_address'],
      ['tx staking create-validator --amount 1frx --from op --yes', rpc, 'comet.rpc_address'],
      ['agent check', rest, 'rest.address'],
    ] as const) {
      const { code, stdout, stderr } = await run(line, home)
      expect([code, stdout], `${line}: ${stderr}`).to.deep.equal([3, ''])
      expect(stderr)
        .to.match(told(url, running, own))
        .and.contain(`has the same ${setting}`)
        .and.match(/^[^\n]*\n$/)
    }
    /** Whether all is well with the host is none of this. */
    const fine = async (line: string, folder: string, env = {}): Promise<void> => {
      const { code, stdout, stderr } = await run(line, folder, env)
      expect([code < 2, stdout !== '', stderr], line).to.deep.equal([true, true, ''])
    }
    await fine(`status --node ${rpc}`, home)
    await fine('status', home, { FORNAX_RPC_URL: rpc })
    await fine(`agent check --rest ${rest}`, home)
    await fine('status --wait', node.home.path)
    await fine('agent check', node.home.path)
    await run('config set comet.external true', home)
    await fine('status', home)
    await run('config set comet.external false', home)
    rmSync(homeLayout(home).nodeKey)
    await fine('status', home)
    await fine('agent check', home)
    child.kill('SIGTERM')
    await ended()
  })
})

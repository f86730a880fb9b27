import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { FRX } from '../../genesis/document.ts'
import { portsOfNode } from '../../localnet/info.ts'
import { type Ports, portsOf } from '../../localnet/ports.ts'
import { fencedBlocks } from '../kit/fenced-blocks.ts'
import { startFamily } from '../kit/fornaxd/family.ts'
import { type TestLocalnet, testLocalnet } from '../kit/localnet/localnet.ts'
import { freePorts } from '../kit/ports.ts'
import { tempDir } from '../kit/temp-dir.ts'

const PAGE = 'docs/join-a-chain.md'

describe(`The commands of ${PAGE}`, () => {
  const dir = tempDir()
  let net: TestLocalnet

  before(async function () {
    this.timeout(300_000)
    // With the model: the page asks how it judges.
    net = await testLocalnet({ folder: join(dir.path, '.localnet'), appState: {} })
  })
  after(async function () {
    this.timeout(60_000)
    await net?.remove()
    dir.remove()
  })

  /** The page has the usual ports; a test has free ones. */
  async function withFreePorts(commands: string): Promise<string> {
    const [rest, jsonrpc, rpc, p2p, metrics] = (await freePorts(5)) as [
      number,
      number,
      number,
      number,
      number,
    ]
    const replaced = new Map<number, number>()
    const replace = (usual: Ports, by: Ports): void => {
      for (const [service, port] of Object.entries(usual)) replaced.set(port, by[service as keyof Ports])
    }
    for (const [i, node] of net.info.nodes.entries()) replace(portsOf(i), portsOfNode(node))
    replace(portsOf(net.info.nodes.length), { rest, jsonrpc, rpc, p2p, metrics })
    return commands.replace(/:(\d{4,5})\b/g, (_, port: string) => `:${replaced.get(Number(port))}`)
  }

  /** Runs blocks one after another in one shell, which ends at the first command that fails. Answers what each printed. */
  async function run(blocks: readonly string[]): Promise<string[]> {
    const bin = join(dir.path, 'bin')
    mkdirSync(bin)
    symlinkSync(resolve('bin/fornaxd'), join(bin, 'fornaxd'))
    const script = join(dir.path, 'page.sh')
    // A machine that tests run on may be busy, which the check tells: all else that it could find fails.
    const tolerant = (block: string): string =>
      block === 'fornaxd agent check\n' ? `${block.trim()} || [ $? = 1 ]\n` : block
    const parts = blocks.map((block, i) => `echo "@@ ${i}"\n${tolerant(block)}`)
    writeFileSync(
      script,
      `set -eo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n${await withFreePorts(parts.join(''))}`,
    )
    const { child, ended } = startFamily('bash', [script], {
      cwd: dir.path,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: `${bin}:${process.env['PATH']}` },
    })
    const late = setTimeout(() => child.kill('SIGKILL'), 240_000)
    const [out, err] = await Promise.all([text(child.stdout!), text(child.stderr!)])
    const { code } = await ended()
    clearTimeout(late)
    const log = code === 0 ? '' : readFileSync(join(dir.path, 'my-node.log'), 'utf8').slice(-3000)
    expect(code, `${out}\n${err}\n${log}`).to.equal(0)
    return out.split(/^@@ \d+\n/m).slice(1)
  }

  /** The way into jail that costs nothing and is short: its own stake falls below what it has promised. */
  const jailed = `fornaxd tx staking edit-validator --min-self-delegation ${8n * FRX} --from operator --yes
fornaxd tx staking unbond operator 0.5frx --from operator --yes
until fornaxd status | grep -q '^power *0$'; do sleep 1; done
fornaxd query agents explain operator
fornaxd tx staking delegate operator 0.5frx --from operator --yes
`
  const free = "until fornaxd status | grep -q '^power *8$'; do sleep 1; done\n"

  /** The page's own command, which it does not have run: a validator is not in jail there. */
  function unjail(): string {
    const lines = fencedBlocks(PAGE, 'console').flatMap((block) => block.split('\n'))
    const [command, ...others] = lines.filter((line) => line.includes('unjail'))
    expect(others).to.deep.equal([])
    return `${command!.replace(/^\$ /, '')} --yes\n`
  }

  it('lead from nothing to a validator that signs, and out again', async () => {
    const blocks = fencedBlocks(PAGE, 'sh')
    const leaving = blocks.findIndex((block) => block.includes('staking unbond'))
    blocks.splice(leaving, 0, jailed, unjail() + free)
    const printed = await run(blocks)
    const of = (word: string): string => printed[blocks.findIndex((block) => block.includes(word))]!
    expect(of('genesis validate')).to.match(/is a valid genesis file of fornax-1/)
    expect(of('status --wait')).to.not.match(/catching up/)
    expect(of('/faucet')).to.match(/afrx/)
    expect(of('staking validator operator'))
      .to.match(/BOND_STATUS_BONDED/)
      .and.match(/moniker: my-node/)
    expect(of('agent check')).to.match(/^validator {2}fornaxvaloper1/)
    // Below a finding stands its remedy.
    expect(of('agent check')).to.not.match(/^(latency|clock|stale) .*\n {11}\S/m)
    expect(of('agents explain')).to.match(/fornaxvaloper1/)
    expect(printed[leaving]).to.match(/^out of it +in jail, as its own stake fell below its minimum$/m)
    const { rest } = net.info.nodes[0]!
    const { validators } = (await (await fetch(`${rest}/cosmos/staking/v1beta1/validators`)).json()) as {
      validators: { description: { moniker: string; details: string }; status: string; tokens: string }[]
    }
    const mine = validators.find(({ description }) => description.moniker === 'my-node')
    expect(mine?.status ?? 'gone').to.not.equal('BOND_STATUS_BONDED')
    expect(mine?.description.details ?? 'follows the page').to.equal('follows the page')
    expect(readFileSync(join(dir.path, 'my-node.log'), 'utf8').trimEnd().split('\n').at(-1)).to.match(
      /the node has stopped/,
    )
  }).timeout(300_000)
})

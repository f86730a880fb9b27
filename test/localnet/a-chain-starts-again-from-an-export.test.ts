import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { homeLayout } from '../../daemon/config/home.ts'
import { readGenesis } from '../../genesis/document.ts'
import { heightOf } from '../../localnet/localnet.ts'
import { fornaxd, type Run } from '../kit/fornaxd/fornaxd.ts'
import { type TestLocalnet, testLocalnet } from '../kit/localnet/localnet.ts'
import { tempDir } from '../kit/temp-dir.ts'

const FRX = 10n ** 18n
const PROPOSAL = {
  messages: [],
  metadata: 'ipfs://audit',
  deposit: `${10n * FRX}afrx`,
  title: 'Audit',
  summary: 'Now',
}

describe('a network that starts again from its exported state', function () {
  this.timeout(120_000)
  const dir = tempDir()
  let net: TestLocalnet

  const run = (line: string, node = 0): Promise<Run> =>
    fornaxd([...line.split(' '), '--output', 'json', '--home', net.info.nodes[node]!.home])
  const tx = async (line: string, node = 0): Promise<void> => {
    const { code, stderr } = await run(`tx ${line} --yes`, node)
    expect(code, `${line}\n${stderr}`).to.equal(0)
  }
  const address = (name: string): string => net.info.accounts.find((a) => a.name === name)!.address
  // biome-ignore lint/suspicious/noExplicitAny: answers of every form
  const rest = async (path: string): Promise<any> =>
    (await fetch(`${net.info.nodes[1]!.rest}/cosmos/${path}`)).json()
  const headerOf = async (height: string) =>
    (await rest(`base/tendermint/v1beta1/blocks/${height}`)).block.header
  /** What neither a restart nor blocks without transactions change. */
  const facts = async (): Promise<Record<string, unknown>> =>
    Object.fromEntries(
      await Promise.all(
        [
          `staking/v1beta1/delegations/${address('alice')}`,
          `staking/v1beta1/delegators/${address('alice')}/validators`,
          'staking/v1beta1/pool',
          `bank/v1beta1/balances/${address('bob')}`,
          'bank/v1beta1/supply',
          'gov/v1/proposals',
          'gov/v1/proposals/1/votes',
          `distribution/v1beta1/delegators/${address('alice')}/withdraw_address`,
        ].map(async (path) => [path, await rest(path)]),
      ),
    )

  /** Stops all nodes, and starts them on what `export` with these options makes of one height, as the help says. */
  async function startAgain(chainId: string, options = ''): Promise<void> {
    const heights = await Promise.all(net.info.nodes.map(heightOf))
    const height = Math.min(...heights.map(Number))
    await Promise.all(net.nodes.map((_, i) => net.kill(i, 'SIGTERM')))
    const all = `--height ${height} --chain-id ${chainId} --genesis-time ${new Date().toISOString()} ${options}`
    const files = await Promise.all(net.nodes.map((_, i) => exported(i, all.trim())))
    expect(new Set(files.map((file) => readFileSync(file, 'utf8'))).size).to.equal(1)
    expect((await run(`genesis validate ${files[0]}`)).code).to.equal(0)
    for (const [i, file] of files.entries()) {
      const home = homeLayout(net.info.nodes[i]!.home)
      renameSync(join(home.path, 'data'), join(home.path, `data-before-${chainId}`))
      copyFileSync(file, home.genesis)
      net.restart(i)
    }
  }

  async function exported(node: number, options: string): Promise<string> {
    const file = join(dir.path, `genesis-${node}.json`)
    const { code, stderr } = await run(`export --output-document ${file} ${options}`, node)
    expect(code, stderr).to.equal(0)
    return file
  }

  before(async function () {
    this.timeout(300_000)
    net = await testLocalnet({ validators: 2 })
    const { operator_address } = net.info.nodes[0]!
    const file = join(dir.path, 'proposal.json')
    writeFileSync(file, JSON.stringify(PROPOSAL))
    const staking = async (): Promise<void> => {
      await tx(`staking delegate ${operator_address} ${5n * FRX}afrx --from alice`)
      await tx(`staking undelegate ${operator_address} ${FRX}afrx --from alice`)
      await tx('distribution set-withdraw-address carol --from alice')
    }
    const voting = async (): Promise<void> => {
      await tx(`gov submit-proposal ${file} --from bob`)
      await tx('gov vote 1 yes --from validator')
    }
    await Promise.all([staking(), voting()])
  })
  after(async function () {
    this.timeout(60_000)
    await net?.remove()
    dir.remove()
  })

  it('is refused an export while it runs', async () => {
    const { code, stderr } = await run('export')
    expect(code).to.equal(1)
    expect(stderr).to.match(/the node is running: stop it first/)
  })

  it('goes on at the next height under a new name, with the same balances, stakes and votes', async () => {
    const before = await facts()
    const height = (await heightOf(net.info.nodes[0]!))!
    await startAgain('fornax-2')
    const { initial_height, genesis_time } = readGenesis(homeLayout(net.info.nodes[0]!.home).genesis)
    expect(Number(initial_height)).to.be.greaterThan(height)
    await net.reach(Number(initial_height) + 2)
    expect(await facts()).to.deep.equal(before)
    const { chain_id, time } = await headerOf(initial_height)
    expect([chain_id, Date.parse(time)]).to.deep.equal(['fornax-2', Date.parse(genesis_time)])
    await tx('gov vote 1 no --from validator', 1)
    expect((await rest('gov/v1/proposals/1/votes')).votes).to.have.length(2)
  })

  it('begins at height 1 with rewards paid out', async () => {
    const carol = async (): Promise<bigint> =>
      BigInt((await rest(`bank/v1beta1/balances/${address('carol')}`)).balances[0].amount)
    const [before, paid] = [await facts(), await carol()]
    await startAgain('fornax-3', '--for-zero-height')
    await net.reach(3)
    const now = await facts()
    expect(now).to.deep.equal(before)
    expect((await carol()) > paid).to.equal(true)
    expect((await heightOf(net.info.nodes[0]!))!).to.be.lessThan(100)
    expect((await headerOf('1')).chain_id).to.equal('fornax-3')
    await tx(`bank send ${address('carol')} 1afrx --from bob`, 1)
  })
})

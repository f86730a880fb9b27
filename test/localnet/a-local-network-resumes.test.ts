import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SigningStargateClient } from '@cosmjs/stargate'
import { expect } from 'chai'
import { cometRpc } from '../../daemon/client/rpc.ts'
import { heightOf, type Localnet, LocalnetError, startLocalnet } from '../../localnet/localnet.ts'
import { fornaxd } from '../kit/fornaxd/fornaxd.ts'
import { walletOf } from '../kit/localnet/accounts.ts'
import { SLOT } from '../kit/localnet/localnet.ts'

describe('a local network', function () {
  this.timeout(240_000)
  let parent: string
  let net: Localnet | undefined
  const start = (): Promise<Localnet> =>
    startLocalnet({ folder: join(parent, 'net'), validators: 4, slotTime: SLOT, anyPorts: true })
  const address = (i: number): string => net!.info.accounts[i]!.address
  const balanceOf = async (i: number, node: number): Promise<bigint> => {
    const run = await fornaxd([
      'query',
      'bank',
      'balance',
      address(i),
      'afrx',
      '--output',
      'json',
      '--home',
      net!.info.nodes[node]!.home,
    ])
    return BigInt(JSON.parse(run.stdout).balance.amount)
  }

  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'fornax-localnet-'))
    net = await start()
  })
  after(async () => {
    await net?.stop()
    await rm(parent, { recursive: true })
  })

  it('has its facts in info.json', () => {
    const info = JSON.parse(readFileSync(join(parent, 'net', 'info.json'), 'utf8'))
    expect(info).to.deep.equal(net!.info)
    expect(info.nodes).to.have.length(4)
    expect(info.accounts.map((a: { name: string }) => a.name)).to.deep.equal([
      'alice',
      'bob',
      'carol',
      'dave',
      'erin',
      'frank',
    ])
  })

  it('carries a send by CosmJS', async () => {
    const wallet = await walletOf(net!.info.accounts[0]!)
    const client = await SigningStargateClient.connectWithSigner(net!.info.nodes[1]!.rpc, wallet)
    const fee = { amount: [{ denom: 'afrx', amount: '200000000000000' }], gas: '200000' }
    const { code } = await client.sendTokens(address(0), address(1), [{ denom: 'afrx', amount: '5' }], fee)
    expect(code).to.equal(0)
    client.disconnect()
  })

  it('carries a send by fornaxd, and one of a multisig account', async () => {
    const { home } = net!.info.nodes[2]!
    const run = async (line: string, input = ''): Promise<string> => {
      const { code, stdout, stderr } = await fornaxd([...line.split(' '), '--home', home], input)
      expect(code, `${line}\n${stderr}`).to.equal(0)
      return stdout
    }
    const before = await balanceOf(3, 0)
    await run('tx bank send dave 7afrx --from carol --yes')
    await run('keys add third --key-type secp256k1')
    await run('keys add team --multisig erin,frank,third --threshold 2')
    const team = (await run('keys show team -a')).trim()
    await run(`tx bank send ${team} 1000000000000000000afrx --from carol --yes`)
    const tx = await run('tx bank send dave 4afrx --from team --generate-only --gas 300000')
    const file = (name: string): string => join(parent, name)
    await writeFile(file('tx.json'), tx)
    for (const name of ['erin', 'frank'])
      await writeFile(file(name), await run(`tx sign ${file('tx.json')} --from ${name} --multisig team`))
    await run(
      'tx broadcast -',
      await run(`tx multisign ${file('tx.json')} team ${file('erin')} ${file('frank')}`),
    )
    expect(await balanceOf(3, 0)).to.equal(before + 11n)
  })

  it('goes on while one node of four is killed, which catches up when it is started again', async () => {
    const height = (await heightOf(net!.info.nodes[0]!))!
    await net!.kill(3, 'SIGKILL')
    await net!.reach(height + 5, { nodes: [0, 1, 2] })
    net!.restart(3)
    await net!.reach(height + 8)
  })

  it('refuses another number of validators than it has', async () => {
    const error = await startLocalnet({ folder: join(parent, 'net'), validators: 3, anyPorts: true }).catch(
      (e) => e,
    )
    expect(error).to.be.instanceOf(LocalnetError)
    expect(error.message).to.match(/has 4 validators/)
  })

  it('stops cleanly, and started again goes on where it was with the same state', async () => {
    const bob = await balanceOf(1, 0)
    const height = (await heightOf(net!.info.nodes[0]!))!
    await net!.stop()
    for (const node of net!.nodes) {
      expect(node.running).to.equal(false)
      expect(existsSync(join(node.info.home, 'comet.pid'))).to.equal(false)
      expect(node.lastLines(3)).to.match(/the node has stopped/)
    }
    net = await start()
    expect((await heightOf(net.info.nodes[0]!))!).to.be.greaterThan(height - 1)
    expect(await balanceOf(1, 0)).to.equal(bob)
    const hashes = await Promise.all(
      net.info.nodes.map(async (n) => (await cometRpc(n.rpc).block(BigInt(height))).block.header.app_hash),
    )
    expect(new Set(hashes).size).to.equal(1)
  })
})

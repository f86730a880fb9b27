import { expect } from 'chai'
import { cometRpc } from '../../daemon/client/rpc.ts'
import { heightOf } from '../../localnet/localnet.ts'
import type { NodeProcess } from '../../localnet/node-process.ts'
import { eventually } from '../kit/eventually.ts'
import { history, holdings } from '../kit/localnet/chain-audit.ts'
import { joiningNode } from '../kit/localnet/joining-node.ts'
import { type TestLocalnet, testLocalnet } from '../kit/localnet/localnet.ts'
import { SteadyLoad } from '../kit/localnet/steady-load.ts'
import { randomness } from '../kit/random.ts'
import { tempDir } from '../kit/temp-dir.ts'

describe('to a chain that runs under load', () => {
  const dir = tempDir()
  let net: TestLocalnet
  let load: SteadyLoad
  let fifth: NodeProcess | undefined

  before(async function () {
    this.timeout(300_000)
    net = await testLocalnet()
    load = new SteadyLoad(net.info, randomness(5))
    await load.fund()
    load.start()
  })
  after(async function () {
    this.timeout(60_000)
    await load?.stop()
    await fifth?.stop()
    await net?.remove()
    dir.remove()
  })

  /** Blocks, app hashes and holdings at the height are those of the first validator. */
  async function agrees(rpc: string, height: number): Promise<void> {
    const [first] = net.info.nodes
    const hashes = async (url: string) =>
      (await history(url, height)).map(({ blockHash, appHash }) => ({ blockHash, appHash }))
    expect(await hashes(rpc)).to.deep.equal(await hashes(first!.rpc))
    const { owners, supply } = await holdings(rpc, height)
    expect({ owners, supply }).to.deep.equal(await holdings(first!.rpc, height))
    expect([...owners.values()].reduce((a, b) => a + b)).to.equal(supply)
  }

  it('a fifth node joins with the genesis and a peer, syncs from the start, and agrees', async () => {
    await net.reach(15)
    const joined = await joiningNode(net, dir.path, 'fifth')
    fifth = joined.node
    const { info } = fifth
    fifth.start()
    const height = (await heightOf(net.info.nodes[0]!))! + 5
    await eventually('the fifth node in step', async () => ((await heightOf(info)) ?? 0) > height, 90_000)
    await agrees(info.rpc, height)
  }).timeout(180_000)

  it('a validator that was stopped for a while comes back, catches up, and signs again', async () => {
    const [first, , , last] = net.info.nodes
    const { address } = (await cometRpc(last!.rpc).status()).validator_info
    await net.kill(3, 'SIGTERM')
    const left = (await heightOf(first!))!
    await net.reach(left + 15, { nodes: [0, 1, 2] })
    net.restart(3)
    let seen = left + 15
    // Where cores are scarce it is late for most blocks.
    const signs = async (): Promise<boolean> => {
      for (const latest = (await heightOf(first!))!; seen < latest; ) {
        const { block } = await cometRpc(first!.rpc).block(BigInt(++seen))
        if (block.last_commit.signatures.some((s) => s.validator_address === address)) return true
      }
      return false
    }
    await eventually('its signature', signs, 60_000)
    await load.stop()
    const height = Math.min(...(await Promise.all(net.info.nodes.map(heightOf))).map((h) => h ?? 0)) - 1
    await agrees(last!.rpc, height)
    await agrees(fifth!.info.rpc, height)
    expect(load.complaints).to.deep.equal([])
  }).timeout(180_000)
})

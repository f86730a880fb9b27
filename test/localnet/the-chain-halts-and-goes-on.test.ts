import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { calculateFee } from '@cosmjs/stargate'
import { expect } from 'chai'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { toBase64 } from '../../core/bytes.ts'
import { heightOf } from '../../localnet/localnet.ts'
import type { NodeProcess } from '../../localnet/node-process.ts'
import { eventually } from '../kit/eventually.ts'
import { joiningNode } from '../kit/localnet/joining-node.ts'
import type { TestLocalnet } from '../kit/localnet/localnet.ts'
import { deathFile } from '../kit/localnet/lying.ts'
import { appHash, LyingNet, ON_AND_ON, STREAK } from '../kit/localnet/lying-net.ts'
import { tempDir } from '../kit/temp-dir.ts'

const fee = calculateFee(200_000, '1000000000afrx')
const killComet = ({ info }: NodeProcess): void => {
  process.kill(Number(/\d+/.exec(readFileSync(join(info.home, 'comet.pid'), 'utf8'))![0]), 'SIGKILL')
}

describe('A chain whose validators disagree', () => {
  const dir = tempDir()
  let lying: LyingNet
  let net: TestLocalnet
  let alice: string
  let bob: string
  let joined: NodeProcess | undefined

  before(async function () {
    this.timeout(300_000)
    lying = await LyingNet.start({ liars: [2, 3], about: 2, appState: {} })
    net = lying.net
    alice = lying.alice
    bob = net.info.accounts[1]!.address
  })
  after(async function () {
    this.timeout(60_000)
    await joined?.stop()
    await lying?.remove()
    dir.remove()
  })

  const balance = async (): Promise<bigint> => BigInt((await lying.client.getBalance(bob, 'afrx')).amount)
  const pay = (amount: string) => lying.client.sendTokens(alice, bob, [{ denom: 'afrx', amount }], fee)

  it('withholds a degraded round, commits it with the next one, and counts anew', async () => {
    await eventually('blocks', async () => (await lying.height(0)) > 5, 60_000)
    await lying.lie((await lying.height(0)) + 4, 1)
    await eventually(
      'the round and those after it',
      async () => (await lying.appHeight(0)) > lying.firstWithheld + 3,
      60_000,
    )
    const { state } = await lying.get<{ state: { degraded: boolean } }>(0, '/fornax/agents/v1/consensus')
    expect([state.degraded, await lying.isHalted(0)]).to.deep.equal([false, false])
    const { rpc } = net.info.nodes[0]!
    // A header has the app hash that the block before it left.
    expect(await appHash(rpc, lying.firstWithheld + 1)).to.equal(await appHash(rpc, lying.firstWithheld))
    expect(await appHash(rpc, lying.firstWithheld + 2)).to.not.equal(await appHash(rpc, lying.firstWithheld))
  }).timeout(120_000)

  it('halts after three of them in a row, with nothing committed, and refuses what comes in', async () => {
    const before = await balance()
    await lying.lie((await lying.height(0)) + 6, ON_AND_ON)
    await eventually('the streak', async () => (await lying.height(0)) >= lying.firstWithheld - 1, 60_000)
    // Accepted while the chain still goes on; it may sit in a withheld block or in the mempool.
    const { accountNumber, sequence } = await lying.client.getSequence(alice)
    const send = {
      typeUrl: '/cosmos.bank.v1beta1.MsgSend',
      value: { fromAddress: alice, toAddress: bob, amount: [{ denom: 'afrx', amount: '7' }] },
    }
    const signed = await lying.client.sign(alice, [send], fee, '', {
      accountNumber,
      sequence,
      chainId: net.info.chain_id,
    })
    await lying.client.broadcastTxSync(TxRaw.encode(signed).finish())
    const halted = await lying.halted()
    expect(await Promise.all(net.nodes.map((_, i) => lying.height(i)))).to.deep.equal(
      net.nodes.map(() => halted),
    )
    expect(await Promise.all(net.nodes.map((_, i) => lying.appHeight(i)))).to.deep.equal(
      net.nodes.map(() => lying.firstWithheld - 1),
    )
    const late = await lying.client.sign(alice, [send], fee, 'late', {
      accountNumber,
      sequence: sequence + 1,
      chainId: net.info.chain_id,
    })
    const answer = await fetch(`${net.info.nodes[0]!.rest}/broadcast_tx`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tx_bytes: toBase64(TxRaw.encode(late).finish()) }),
    })
    const { error } = (await answer.json()) as { error: { code: string } }
    expect([answer.status, error.code]).to.deep.equal([503, 'halted'])
    // Rounds go by, and nothing is decided.
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect(await lying.height(0)).to.equal(lying.firstWithheld + STREAK - 1)
    expect((await balance()) - before).to.equal(0n)
  }).timeout(180_000)

  it('stays halted when its nodes are started again, and tells its operators where', async () => {
    await lying.restartAll(async (i) => {
      expect(await lying.halt(i, 'status')).to.deep.equal({
        halted: true,
        halt_height: `${lying.firstWithheld + STREAK - 1}`,
        cleared_height: null,
        committed_height: `${lying.firstWithheld - 1}`,
      })
    })
    await eventually('the halt of all', () => lying.all(lying.isHalted), 60_000)
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect(await lying.height(0)).to.equal(lying.firstWithheld + STREAK - 1)
  }).timeout(120_000)

  it('goes on when its operators have cleared the halt, and has lost nothing', async () => {
    const before = await balance()
    await lying.restartAll((i) => lying.halt(i, 'clear'))
    await eventually(
      'blocks',
      async () => (await lying.appHeight(0)) > lying.firstWithheld + STREAK + 3,
      60_000,
    )
    expect((await balance()) - before).to.equal(7n)
    expect((await pay('5')).code).to.equal(0)
    expect((await balance()) - before).to.equal(12n)
    await Promise.all(net.nodes.map((node) => node.stop()))
    for (const i of net.nodes.keys())
      expect(await lying.halt(i, 'status')).to.include({ halted: false, cleared_height: null })
    for (const i of net.nodes.keys()) net.restart(i)
  }).timeout(180_000)

  it('lets a new node through what was withheld, to the same hashes', async () => {
    await eventually('blocks', async () => (await lying.height(0)) > lying.firstWithheld + STREAK + 6, 60_000)
    const fifth = await joiningNode(net, dir.path, 'fifth')
    joined = fifth.node
    joined.start()
    await eventually(
      'the new node in step',
      async () => ((await heightOf(joined!.info)) ?? 0) >= (await lying.height(0)) - 2,
      90_000,
    )
    const hashes = async (rpc: string): Promise<string[]> => {
      const out: string[] = []
      for (let h = lying.firstWithheld; h < lying.firstWithheld + STREAK + 4; h++)
        out.push(await appHash(rpc, h))
      return out
    }
    expect(await hashes(joined.info.rpc)).to.deep.equal(await hashes(net.info.nodes[0]!.rpc))
    expect(readFileSync(joined.log, 'utf8')).to.not.match(/app hash|AppHash.*mismatch/i)
  }).timeout(180_000)

  it('goes on when only three of four have cleared it; the fourth takes part again with the next healthy block', async () => {
    await lying.lie((await lying.height(0)) + 6, ON_AND_ON)
    await lying.halted()
    await lying.restartAll((i) => (i === 3 ? Promise.resolve() : lying.halt(i, 'clear')))
    await eventually(
      'blocks',
      async () => (await lying.appHeight(0)) > lying.firstWithheld + STREAK + 3,
      90_000,
    )
    await eventually('the fourth', async () => (await lying.readiness(3)) === 'ready', 60_000)
  }).timeout(240_000)

  it('halts alike when nodes are killed at each stage of the streak', async () => {
    // A liar needs somebody to contradict; reports without scores disagree while any two are there.
    const engines = net.info.nodes.map(({ home }) => deathFile(home))
    for (const file of engines) writeFileSync(file, '')
    const streak = async (): Promise<number> => (await lying.height(0)) - (await lying.appHeight(0))
    for (const stage of [0, 1, 2]) {
      await eventually(`stage ${stage}`, async () => (await streak()) > stage, 60_000)
      const node = net.nodes[stage + 1]!
      if (stage === 1) killComet(node)
      else node.kill('SIGKILL')
      if (stage !== 1) {
        await node.exited
        net.restart(stage + 1)
      }
    }
    await eventually('the halt of all', () => lying.all(lying.isHalted), 90_000)
    const halted = await lying.height(0)
    await eventually('one height', () => lying.all(async (i) => (await lying.height(i)) === halted), 30_000)
    for (const file of engines) rmSync(file)
    await lying.restartAll((i) => lying.halt(i, 'clear'))
    await eventually('blocks', () => lying.all(async (i) => (await lying.appHeight(i)) > halted + 3), 90_000)
    const hashes = await Promise.all(net.info.nodes.map(({ rpc }) => appHash(rpc, halted + 3)))
    expect(new Set(hashes).size).to.equal(1)
  }).timeout(300_000)

  it('halts again, at one height everywhere, where the disagreement goes on after the clear', async () => {
    await lying.lie((await lying.height(0)) + 6, ON_AND_ON)
    await eventually('the halt of all', () => lying.all(lying.isHalted), 60_000)
    const first = await lying.height(0)
    await lying.restartAll((i) => lying.halt(i, 'clear'))
    await eventually(
      'the second halt of all',
      () => lying.all(async (i) => (await lying.isHalted(i)) && (await lying.height(i)) >= first + STREAK),
      90_000,
    )
    const heights = new Set(await Promise.all(net.nodes.map((_, i) => lying.height(i))))
    expect([...heights]).to.have.length(1)
    const [second = 0] = heights
    lying.stopLying()
    await lying.restartAll((i) => lying.halt(i, 'clear'))
    await eventually('blocks', async () => (await lying.appHeight(0)) > second + 3, 90_000)
  }).timeout(300_000)
})

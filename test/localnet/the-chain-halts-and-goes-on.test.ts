import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { calculateFee, SigningStargateClient } from '@cosmjs/stargate'
import { expect } from 'chai'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { ACCOUNT_PREFIX } from '../../core/address.ts'
import { toBase64 } from '../../core/bytes.ts'
import { heightOf } from '../../localnet/localnet.ts'
import type { NodeProcess } from '../../localnet/node-process.ts'
import { eventually } from '../kit/eventually.ts'
import { joiningNode } from '../kit/joining-node.ts'
import { patience, type TestLocalnet, testLocalnet } from '../kit/localnet.ts'
import { type Lie, lieFile } from '../kit/lying.ts'
import { tempDir } from '../kit/temp-dir.ts'

const run = promisify(execFile)
const fornaxd = fileURLToPath(new URL('../../daemon/main.js', import.meta.url))
const lying = pathToFileURL(fileURLToPath(new URL('../kit/lying.js', import.meta.url))).href
const fee = calculateFee(200_000, '1000000000afrx')
/** Rounds without a commit that halt the chain. */
const STREAK = 3

interface Halt {
  readonly halted: boolean
  readonly halt_height: string | null
  readonly cleared_height: string | null
  readonly committed_height: string
}

const killComet = ({ info }: NodeProcess): void => {
  process.kill(Number(/\d+/.exec(readFileSync(join(info.home, 'comet.pid'), 'utf8'))![0]), 'SIGKILL')
}

describe('A chain whose validators disagree', () => {
  const dir = tempDir()
  let net: TestLocalnet
  let client: SigningStargateClient
  let alice: string
  let bob: string
  /** The first withheld height of the streak under test. */
  let firstWithheld: number
  let joined: NodeProcess | undefined
  const options = process.env['NODE_OPTIONS']

  before(async function () {
    this.timeout(300_000)
    process.env['NODE_OPTIONS'] = `${options ?? ''} --import ${lying}`
    net = await testLocalnet({ appState: { slashing: patience.slashing } })
    const [first, second] = net.info.accounts
    const wallet = await DirectSecp256k1HdWallet.fromMnemonic(first!.mnemonic, { prefix: ACCOUNT_PREFIX })
    alice = first!.address
    bob = second!.address
    client = await SigningStargateClient.connectWithSigner(net.info.nodes[0]!.rpc, wallet, {
      broadcastPollIntervalMs: 100,
    })
  })
  after(async function () {
    this.timeout(60_000)
    if (options === undefined) delete process.env['NODE_OPTIONS']
    else process.env['NODE_OPTIONS'] = options
    client?.disconnect()
    await joined?.stop()
    await net?.remove()
    dir.remove()
  })

  const json = async <T>(url: string): Promise<T> => (await (await fetch(url)).json()) as T
  const get = <T>(i: number, path: string): Promise<T> => json(net.info.nodes[i]!.rest + path)
  const height = async (i: number): Promise<number> => (await heightOf(net.info.nodes[i]!)) ?? 0
  /** The last committed height; 0 where the node does not answer. */
  const appHeight = (i: number): Promise<number> => committedHeight(i).catch(() => 0)
  const committedHeight = async (i: number): Promise<number> => {
    const { result } = await json<{ result: { response: { last_block_height?: string } } }>(
      `${net.info.nodes[i]!.rpc}/abci_info`,
    )
    return Number(result.response.last_block_height ?? 0)
  }
  const header = async (rpc: string, height: number): Promise<string> =>
    (await json<{ result: { header: { app_hash: string } } }>(`${rpc}/header?height=${height}`)).result.header
      .app_hash
  const readiness = (i: number): Promise<string> =>
    get<{ error?: { code: string } }>(i, '/ready').then(
      ({ error }) => error?.code ?? 'ready',
      () => 'down',
    )
  const isHalted = async (i: number): Promise<boolean> => (await readiness(i)) === 'halted'

  const all = async (holds: (i: number) => Promise<boolean>): Promise<boolean> =>
    (await Promise.all(net.nodes.map((_, i) => holds(i).catch(() => false)))).every(Boolean)
  const halt = async (i: number, command: 'status' | 'clear'): Promise<Halt> => {
    const home = net.info.nodes[i]!.home
    const { stdout } = await run(process.execPath, [
      fornaxd,
      'halt',
      command,
      '--home',
      home,
      '--output',
      'json',
    ])
    return JSON.parse(stdout)
  }

  /** Two validators lie about the first one's score in their reports on so many states from a height on. */
  async function lie(from: number, rounds: number): Promise<void> {
    const { scores } = await get<{ scores: { validator: string }[] }>(0, '/fornax/classifier/v1/scores')
    const place = scores.findIndex(({ validator }) => validator === net.info.nodes[0]!.operator_address)
    const told: Lie = { place, score: 9_999, from, to: from + rounds - 1 }
    for (const i of [2, 3]) writeFileSync(lieFile(net.info.nodes[i]!.home), JSON.stringify(told))
    // The report on a state goes out with the next vote, and is judged in the block after that.
    firstWithheld = from + 2
  }

  async function restartAll(between: (i: number) => Promise<unknown>): Promise<void> {
    // One after another, as operators do: those that are left have written what they signed.
    for (const node of net.nodes) await node.stop()
    for (const i of net.nodes.keys()) await between(i)
    for (const i of net.nodes.keys()) net.restart(i)
  }

  const balance = async (): Promise<bigint> => BigInt((await client.getBalance(bob, 'afrx')).amount)
  const pay = (amount: string) => client.sendTokens(alice, bob, [{ denom: 'afrx', amount }], fee)

  it('withholds a degraded round, commits it with the next one, and counts anew', async () => {
    await eventually('blocks', async () => (await height(0)) > 5, 60_000)
    await lie((await height(0)) + 4, 1)
    await eventually(
      'the round and those after it',
      async () => (await appHeight(0)) > firstWithheld + 3,
      60_000,
    )
    const { state } = await get<{ state: { degraded: boolean } }>(0, '/fornax/agents/v1/consensus')
    expect([state.degraded, await isHalted(0)]).to.deep.equal([false, false])
    const { rpc } = net.info.nodes[0]!
    // A header has the app hash that the block before it left.
    expect(await header(rpc, firstWithheld + 1)).to.equal(await header(rpc, firstWithheld))
    expect(await header(rpc, firstWithheld + 2)).to.not.equal(await header(rpc, firstWithheld))
  }).timeout(120_000)

  it('halts after three of them in a row, with nothing committed, and refuses what comes in', async () => {
    const before = await balance()
    await lie((await height(0)) + 6, STREAK)
    await eventually('the streak', async () => (await height(0)) >= firstWithheld - 1, 60_000)
    // Accepted while the chain still goes on; it may sit in a withheld block or in the mempool.
    const { accountNumber, sequence } = await client.getSequence(alice)
    const send = {
      typeUrl: '/cosmos.bank.v1beta1.MsgSend',
      value: { fromAddress: alice, toAddress: bob, amount: [{ denom: 'afrx', amount: '7' }] },
    }
    const signed = await client.sign(alice, [send], fee, '', {
      accountNumber,
      sequence,
      chainId: net.info.chain_id,
    })
    await client.broadcastTxSync(TxRaw.encode(signed).finish())
    await eventually('the halt of all', () => all(isHalted), 60_000)
    expect(await Promise.all(net.nodes.map((_, i) => height(i)))).to.deep.equal(
      net.nodes.map(() => firstWithheld + STREAK - 1),
    )
    expect(await Promise.all(net.nodes.map((_, i) => appHeight(i)))).to.deep.equal(
      net.nodes.map(() => firstWithheld - 1),
    )
    const late = await client.sign(alice, [send], fee, 'late', {
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
    expect(await height(0)).to.equal(firstWithheld + STREAK - 1)
    expect((await balance()) - before).to.equal(0n)
  }).timeout(180_000)

  it('stays halted when its nodes are started again, and tells its operators where', async () => {
    await restartAll(async (i) => {
      expect(await halt(i, 'status')).to.deep.equal({
        halted: true,
        halt_height: `${firstWithheld + STREAK - 1}`,
        cleared_height: null,
        committed_height: `${firstWithheld - 1}`,
      })
    })
    await eventually('the halt of all', () => all(isHalted), 60_000)
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect(await height(0)).to.equal(firstWithheld + STREAK - 1)
  }).timeout(120_000)

  it('goes on when its operators have cleared the halt, and has lost nothing', async () => {
    const before = await balance()
    await restartAll((i) => halt(i, 'clear'))
    await eventually('blocks', async () => (await appHeight(0)) > firstWithheld + STREAK + 3, 60_000)
    expect((await balance()) - before).to.equal(7n)
    expect((await pay('5')).code).to.equal(0)
    expect((await balance()) - before).to.equal(12n)
    await Promise.all(net.nodes.map((node) => node.stop()))
    for (const i of net.nodes.keys())
      expect(await halt(i, 'status')).to.include({ halted: false, cleared_height: null })
    for (const i of net.nodes.keys()) net.restart(i)
  }).timeout(180_000)

  it('lets a new node through what was withheld, to the same hashes', async () => {
    await eventually('blocks', async () => (await height(0)) > firstWithheld + STREAK + 6, 60_000)
    const fifth = await joiningNode(net, dir.path, 'fifth')
    joined = fifth.node
    joined.start()
    await eventually(
      'the new node in step',
      async () => ((await heightOf(joined!.info)) ?? 0) >= (await height(0)) - 2,
      90_000,
    )
    const hashes = async (rpc: string): Promise<string[]> => {
      const out: string[] = []
      for (let h = firstWithheld; h < firstWithheld + STREAK + 4; h++) out.push(await header(rpc, h))
      return out
    }
    expect(await hashes(joined.info.rpc)).to.deep.equal(await hashes(net.info.nodes[0]!.rpc))
    expect(readFileSync(joined.log, 'utf8')).to.not.match(/app hash|AppHash.*mismatch/i)
  }).timeout(180_000)

  it('goes on when only three of four have cleared it; the fourth takes part again with the next healthy block', async () => {
    await lie((await height(0)) + 6, STREAK)
    await eventually('the halt of all', () => all(isHalted), 60_000)
    await restartAll((i) => (i === 3 ? Promise.resolve() : halt(i, 'clear')))
    await eventually('blocks', async () => (await appHeight(0)) > firstWithheld + STREAK + 3, 90_000)
    await eventually('the fourth', async () => (await readiness(3)) === 'ready', 60_000)
  }).timeout(240_000)

  it('halts alike when nodes are killed at each stage of the streak', async () => {
    await lie((await height(0)) + 8, STREAK)
    for (const stage of [0, 1, 2]) {
      await eventually(`stage ${stage}`, async () => (await height(0)) >= firstWithheld + stage, 60_000)
      const node = net.nodes[stage + 1]!
      if (stage === 1) killComet(node)
      else node.kill('SIGKILL')
      if (stage !== 1) {
        await node.exited
        net.restart(stage + 1)
      }
    }
    await eventually('the halt of all', () => all(isHalted), 90_000)
    const halted = await height(0)
    await eventually('one height', () => all(async (i) => (await height(i)) === halted), 30_000)
    await restartAll((i) => halt(i, 'clear'))
    await eventually('blocks', () => all(async (i) => (await appHeight(i)) > halted + 3), 90_000)
    const hashes = await Promise.all(net.info.nodes.map(({ rpc }) => header(rpc, halted + 3)))
    expect(new Set(hashes).size).to.equal(1)
  }).timeout(300_000)

  it('halts again, at one height everywhere, where the disagreement goes on after the clear', async () => {
    await lie((await height(0)) + 6, 2 * STREAK)
    await eventually('the halt of all', () => all(isHalted), 60_000)
    await restartAll((i) => halt(i, 'clear'))
    const second = firstWithheld + 2 * STREAK - 1
    await eventually(
      'the second halt of all',
      () => all(async (i) => (await isHalted(i)) && (await height(i)) === second),
      90_000,
    )
    for (const { home } of net.info.nodes) rmSync(lieFile(home), { force: true })
    await restartAll((i) => halt(i, 'clear'))
    await eventually('blocks', async () => (await appHeight(0)) > second + 3, 90_000)
  }).timeout(300_000)
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { NodeClient } from '../../daemon/client/node.ts'
import { heightOf } from '../../localnet/localnet.ts'
import { type Height, history, holdings, reckon, unindexed } from '../kit/localnet/chain-audit.ts'
import { type TestLocalnet, testLocalnet } from '../kit/localnet/localnet.ts'
import { SteadyLoad } from '../kit/localnet/steady-load.ts'
import { pick, type Random, randomness } from '../kit/random.ts'

/** Kills; `make crash-test` sets 300. */
const CRASHES = Number(process.env['CRASHES'] ?? 10)
const SEED = Number(process.env['CRASH_SEED'] ?? 1)
const VALIDATORS = 4
/** The longest that recovering from a kill may take before something is taken to hang. */
const HANG_MS = 120_000

type Target = 'app' | 'CometBFT' | 'both'

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

describe(`a network of ${VALIDATORS} validators under load, killed ${CRASHES} times at random moments (seed ${SEED})`, () => {
  const random = randomness(SEED)
  let net: TestLocalnet
  let load: SteadyLoad
  let height: number
  const histories: Height[][] = []

  before(async function () {
    this.timeout(300_000)
    net = await testLocalnet({ validators: VALIDATORS })
    load = new SteadyLoad(net.info, randomness(SEED + 1))
    await load.fund()
    load.start()
  })
  after(async function () {
    this.timeout(60_000)
    if (this.test?.parent?.tests.some((t) => t.isFailed())) console.log(`  CRASH_SEED=${SEED} failed`)
    await load?.stop()
    await net?.remove()
  })

  it('goes on after every one', async () => {
    const begin = performance.now()
    for (let n = 1; n <= CRASHES; n++) {
      await pause(random(1200))
      const victims = victimsOf(random)
      const target: Target = pick(random, ['app', 'CometBFT', 'both'])
      const at = Math.max(...(await Promise.all(net.info.nodes.map(heightOf))).map((h) => h ?? 0))
      await Promise.all(victims.map((v) => crash(net, v, target, random(2) * random(800))))
      // Else the next one falls into the recovery.
      if (random(10) < 7 || n === CRASHES)
        await recovery(net, at + 2, `crash ${n} of ${target} at ${victims}`)
      if (n % 5 === 0) {
        const seconds = Math.round((performance.now() - begin) / 1000)
        console.log(`  ${n} crashes, height ${at}, ${load.reported.length} transactions, ${seconds} s`)
      }
    }
    await load.stop()
    const heights = await Promise.all(net.info.nodes.map(heightOf))
    height = Math.max(...heights.map((h) => h ?? 0)) + 1
    await recovery(net, height + 1, 'the end of the load')
    expect(load.complaints).to.deep.equal([])
  }).timeout(60_000 + CRASHES * 20_000)

  it('with the same blocks, results and app hashes at every node', async () => {
    for (const { rpc } of net.info.nodes) histories.push(await history(rpc, height + 1))
    const [first, ...others] = histories
    for (const [i, other] of others.entries())
      for (const [h, { blockHash, appHash }] of other.entries())
        expect({ blockHash, appHash }, `height ${h + 1} at node${i + 1}`).to.deep.equal({
          blockHash: first![h]!.blockHash,
          appHash: first![h]!.appHash,
        })
  }).timeout(60_000 + CRASHES * 2_000)

  it('with every transaction that any node had reported, at every node', () => {
    expect(load.reported.length).to.be.greaterThan(CRASHES)
    for (const [i, blocks] of histories.entries())
      for (const { hash, height } of load.reported) {
        const found = blocks[height - 1]!.txs.find((tx) => tx.hash === hash)
        expect(found, `${hash} in block ${height} of node${i}`).to.not.equal(undefined)
      }
  })

  it('which finds them by hash and by events', async () => {
    for (const [i, { rpc, name }] of net.info.nodes.entries()) {
      expect(
        await unindexed(rpc, histories[i]!.slice(0, height)),
        `heights not indexed at ${name}`,
      ).to.deep.equal([])
      const client = new NodeClient(rpc)
      for (const { hash, height } of load.reported.slice(-100))
        expect((await client.transaction(hash))?.height, `${hash} at ${name}`).to.equal(`${height}`)
    }
  }).timeout(60_000 + CRASHES * 2_000)

  it('with balances and sequences that follow from the blocks, and sum to the supply', async () => {
    const accounts = load.senders.map((s) => s.text)
    const { balances, sequences } = reckon(histories[0]!.slice(0, height), accounts)
    for (const { rpc, name } of net.info.nodes) {
      const { owners, supply } = await holdings(rpc, height)
      for (const account of accounts) {
        expect(owners.get(account), `${account} at ${name}`).to.equal(balances.get(account))
        // What mempools held when the load stopped may stand in later blocks.
        const { sequence } = (await new NodeClient(rpc).account(account, BigInt(height)))!
        expect(sequence, `${account} at ${name}`).to.equal(sequences.get(account))
      }
      expect(
        [...owners.values()].reduce((a, b) => a + b),
        name,
      ).to.equal(supply)
    }
  }).timeout(60_000)
})

/** Mostly one node, so that the others go on; now and then two, which stops the chain, or all. */
function victimsOf(random: Random): number[] {
  const all = Array.from({ length: VALIDATORS }, (_, i) => i)
  const dice = random(10)
  if (dice >= 8) return all
  const first = random(VALIDATORS)
  return dice === 7 ? [first, (first + 1 + random(VALIDATORS - 1)) % VALIDATORS] : [first]
}

/** Kills, and starts again after `restMs` what does not start again by itself. */
async function crash(net: TestLocalnet, victim: number, target: Target, restMs: number): Promise<void> {
  const { home } = net.info.nodes[victim]!
  if (target !== 'app') killComet(home)
  if (target === 'CometBFT') return
  await net.kill(victim, 'SIGKILL')
  await pause(restMs)
  net.restart(victim)
}

function killComet(home: string): void {
  try {
    const [pid] = readFileSync(join(home, 'comet.pid'), 'utf8').split(' ').map(Number)
    if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(home)) process.kill(pid!, 'SIGKILL')
  } catch {
    // It does not run at the moment.
  }
}

async function recovery(net: TestLocalnet, height: number, after: string): Promise<void> {
  const lost = net.lost.then((node) => {
    throw new Error(`${node.info.name} has ended by itself after ${after}:\n${node.lastLines(40)}`)
  })
  // It is this call's concern only while this call waits.
  lost.catch(() => {})
  const reached = net.reach(height, { timeoutMs: HANG_MS }).catch((error: Error) => {
    const logs = net.nodes.map((n) => `${n.info.name}:\n${n.lastLines(20)}`)
    throw new Error(`after ${after}: ${error.message}\n${logs.join('\n')}`, { cause: error })
  })
  await Promise.race([reached, lost])
}

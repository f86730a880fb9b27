import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { eventually } from '../kit/eventually.ts'
import { appHash, LyingNet, ON_AND_ON, STREAK } from '../kit/localnet/lying-net.ts'

const KILLED = [5, 6]
/** With 5/7 of the power. */
const LEFT = [0, 1, 2, 3, 4]
const LIMIT = 120_000

describe('A network of seven validators', () => {
  let lying: LyingNet
  /** Of the Zenith Pool all: it holds six of seven, and a round takes three of them to be degraded. */
  let three: readonly number[]
  let two: readonly number[]
  let honest: readonly number[]
  before(async function () {
    this.timeout(300_000)
    lying = await LyingNet.start({ liars: [], about: 0, validators: 7, slotTime: '600ms', appState: {} })
    await eventually('blocks', async () => (await lying.appHeight(0)) > 2)
    const pools = await Promise.all(
      lying.net.info.nodes.map(({ operator_address }) => poolOf(operator_address)),
    )
    three = LEFT.filter((i) => i > 0 && pools[i] === 'Zenith').slice(-3)
    two = three.slice(-2)
    honest = pools.map((_, i) => i).filter((i) => !two.includes(i))
  })
  after(async function () {
    this.timeout(90_000)
    await lying?.remove()
  })

  const poolOf = async (operator: string): Promise<string> =>
    (await lying.get<{ pool: string }>(0, `/fornax/agents/v1/standings/${operator}`)).pool
  const degradedRounds = (): number =>
    readFileSync(lying.net.nodes[0]!.log, 'utf8').split('degraded round').length - 1
  const each = async (nodes: readonly number[], holds: (i: number) => Promise<boolean>): Promise<boolean> =>
    (await Promise.all(nodes.map((i) => holds(i).catch(() => false)))).every(Boolean)
  const blocks = async (nodes: readonly number[], count: number): Promise<void> => {
    const from = await lying.appHeight(0)
    await eventually(
      `${count} blocks`,
      () => each(nodes, async (i) => (await lying.appHeight(i)) >= from + count),
      LIMIT,
    )
  }
  const isReady = async (i: number): Promise<boolean> => (await lying.readiness(i)) === 'ready'
  const isJailed = async (i: number): Promise<boolean> => {
    const operator = lying.net.info.nodes[i]!.operator_address
    const path = `/cosmos/staking/v1beta1/validators/${operator}`
    return (await lying.get<{ validator: { jailed: boolean } }>(0, path)).validator.jailed
  }

  it('goes on when two are killed, without a degraded round, and takes them back', async () => {
    for (const i of KILLED) await lying.net.kill(i, 'SIGKILL')
    await blocks(LEFT, 8)
    expect([degradedRounds(), await lying.isHalted(0)]).to.deep.equal([0, false])
    for (const i of KILLED) lying.net.restart(i)
    await eventually('the two', () => lying.all(isReady), LIMIT)
  }).timeout(2 * LIMIT)

  it('halts where three lie, and goes on when enough operators have cleared the halt', async () => {
    await lying.lie((await lying.height(0)) + 4, ON_AND_ON, three)
    const halted = await lying.halted()
    expect([await lying.height(0), degradedRounds() >= STREAK]).to.deep.equal([halted, true])
    await lying.restartAll((i) => lying.halt(i, 'clear'), LEFT)
    await eventually(
      'blocks of all',
      () => lying.all(async (i) => (await lying.appHeight(i)) > halted + 3),
      LIMIT,
    )
    const hashes = await Promise.all(lying.net.info.nodes.map(({ rpc }) => appHash(rpc, halted + 3)))
    expect(new Set(hashes).size).to.equal(1)
  }).timeout(3 * LIMIT)

  it('goes on when two lie, without another degraded round, and jails both and nobody else', async () => {
    const before = degradedRounds()
    await lying.lie((await lying.height(0)) + 4, ON_AND_ON, two)
    await eventually('their jail', () => each(two, isJailed), LIMIT)
    await blocks(honest, 3)
    expect([degradedRounds() - before, await lying.isHalted(0)]).to.deep.equal([0, false])
    for (const i of honest) expect(await isJailed(i), `validator ${i}`).to.equal(false)
  }).timeout(2 * LIMIT)
})

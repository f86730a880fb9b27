import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { eventually } from '../kit/eventually.ts'
import { appHash, LyingNet, STREAK } from '../kit/lying-net.ts'

const KILLED = [5, 6]
const THREE = [2, 3, 4]
const TWO = [3, 4]
/** With 5/7 of the power. */
const LEFT = [0, 1, 2, 3, 4]
const HONEST = [0, 1, 2, 5, 6]
const LIMIT = 120_000

describe('A network of seven validators', () => {
  let lying: LyingNet
  before(async function () {
    this.timeout(300_000)
    lying = await LyingNet.start({ liars: THREE, about: 3, validators: 7, slotTime: '600ms', appState: {} })
  })
  after(async function () {
    this.timeout(90_000)
    await lying?.remove()
  })

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
    // Where a machine is slow a block may lack a vote of theirs, and the streak begins anew.
    await lying.lie((await lying.height(0)) + 4, 1_000)
    await eventually('the halt of all', () => lying.all(lying.isHalted), LIMIT)
    lying.stopLying()
    const halted = (await lying.appHeight(0)) + STREAK
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
    await lying.lie((await lying.height(0)) + 4, 1_000, TWO)
    await eventually('their jail', () => each(TWO, isJailed), LIMIT)
    await blocks(HONEST, 3)
    expect([degradedRounds() - before, await lying.isHalted(0)]).to.deep.equal([0, false])
    for (const i of HONEST) expect(await isJailed(i), `validator ${i}`).to.equal(false)
  }).timeout(2 * LIMIT)
})

import { readFileSync } from 'node:fs'
import { calculateFee } from '@cosmjs/stargate'
import { expect } from 'chai'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { toHex } from '../../core/bytes.ts'
import { ensureKeys } from '../../daemon/comet/keys.ts'
import { eventually } from '../kit/eventually.ts'
import { ask } from '../kit/http/rest.ts'
import { appHash, LyingNet, ON_AND_ON, STREAK } from '../kit/localnet/lying-net.ts'

const FRX = 10n ** 18n
const fee = calculateFee(600_000, '1000000000afrx')
/** Units of voting power above the 100 that each begins with. */
const STAKED = [300n, 200n, 100n, 0n]
const LATER = 50n

describe('A chain whose validators have unequal power', () => {
  let lying: LyingNet
  before(async function () {
    this.timeout(300_000)
    // The liars have 500 of 1,000, and lie about one of their own: nobody else believes them.
    lying = await LyingNet.start({ liars: [1, 2], about: 1, appState: {} })
  })
  after(async function () {
    this.timeout(60_000)
    await lying?.remove()
  })

  const delegation = (i: number, units: bigint) => ({
    typeUrl: '/cosmos.staking.v1beta1.MsgDelegate',
    value: {
      delegatorAddress: lying.alice,
      validatorAddress: lying.net.info.nodes[i]!.operator_address,
      amount: { denom: 'afrx', amount: `${units * FRX}` },
    },
  })
  /** Power by CometBFT's set, in the nodes' order. */
  const powers = async (height?: number): Promise<number[]> => {
    const query = height === undefined ? '' : `&height=${height}`
    const { validators } = await lying.rpc<{ validators: { address: string; voting_power: string }[] }>(
      0,
      `validators?per_page=100${query}`,
    )
    return lying.net.info.nodes.map(({ home }) => {
      const address = toHex(ensureKeys(home).validator.address).toUpperCase()
      return Number(validators.find((v) => v.address === address)?.voting_power ?? 0)
    })
  }
  /** The delegation that waits in a withheld block. */
  let hash: string
  const txOf = (i: number) =>
    lying.get<{ final: boolean; tx_response: { height: string; code: number } }>(
      i,
      `/cosmos/tx/v1beta1/txs/${hash}`,
    )

  it('halts where more than a third of all power lies', async () => {
    const { alice, client } = lying
    const messages = STAKED.flatMap((units, i) => (units > 0n ? [delegation(i, units)] : []))
    expect((await client.signAndBroadcast(alice, messages, fee)).code).to.equal(0)
    await eventually('the powers', async () => `${await powers()}` === '400,300,200,100')

    await lying.lie((await lying.height(0)) + 6, ON_AND_ON)
    const signed = await client.sign(alice, [delegation(3, LATER)], fee, '', {
      ...(await client.getSequence(alice)),
      chainId: lying.net.info.chain_id,
    })
    await eventually('the streak', async () => (await lying.height(0)) >= lying.firstWithheld, 60_000)
    hash = await client.broadcastTxSync(TxRaw.encode(signed).finish())
    const halted = await lying.halted()
    for (const i of lying.net.nodes.keys())
      expect([await lying.height(i), await lying.appHeight(i)]).to.deep.equal([
        halted,
        lying.firstWithheld - 1,
      ])
  }).timeout(180_000)

  it('keeps its validators as they are, and what a withheld block did is not final', async () => {
    const { final, tx_response } = await txOf(0)
    expect([final, tx_response.code]).to.deep.equal([false, 0])
    expect(Number(tx_response.height)).to.be.within(lying.firstWithheld, lying.firstWithheld + STREAK - 1)
    expect(await powers(lying.firstWithheld + STREAK)).to.deep.equal([400, 300, 200, 100])
    const { state } = await lying.get<{ state: { agreeing: number; zenith_size: number } }>(
      0,
      '/fornax/agents/v1/consensus',
    )
    expect(state).to.include({ agreeing: 3, zenith_size: 3 })
  })

  it('tells its operators who disagrees, and that it is halted', async () => {
    const [one, liar, other, two] = lying.net.info.nodes.map((node) => node.operator_address)
    const said = readFileSync(lying.net.nodes[0]!.log, 'utf8')
      .split('\n')
      .filter((line) => line.includes('degraded round'))
    expect(said).to.have.length.of.at.least(STREAK)
    for (const line of said) {
      for (const dishonest of [liar!, other!]) expect(line).to.include(dishonest)
      for (const honest of [one!, two!]) expect(line).to.not.include(honest)
    }
    const metrics = await (await fetch(lying.net.info.nodes[0]!.metrics)).text()
    expect(metrics).to.match(/^fornax_halted 1$/m)
    expect(metrics).to.match(/^fornax_degraded_rounds 3$/m)
    expect(metrics).to.match(/^fornax_similarity_ratio 0.44444/m)
  })

  it('answers whoever reads, with what is committed, and refuses whoever writes', async () => {
    const { rest, operator_address } = lying.net.info.nodes[2]!
    // Of the pool's 900, 500 disagree.
    expect((await ask(`${rest}/agents/consensus`)).body).to.deep.equal({
      similarity_ratio: 1 - 3_000 / 5_400,
      failsafe_active: true,
      zenith_size: 3,
    })
    const predicted = await ask(`${rest}/classifier/predict/${operator_address}`)
    expect([predicted.status, predicted.body.height]).to.deep.equal([200, lying.firstWithheld - 1])
    for (const path of ['/agents/decisions', '/agents/routing', '/agents/bans', '/health'])
      expect((await ask(rest + path)).status, path).to.equal(200)
    const post = (path: string, body: object) =>
      ask(rest + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const telemetry = { cpu_pct: 1, latency_ms: 1, connections: 1, net_contrib: 1 }
    for (const { status, body } of [
      await post('/agents/metrics', { node: operator_address, ...telemetry }),
      await post('/broadcast_tx', { tx_bytes: 'AAAA' }),
      await ask(`${rest}/ready`),
    ])
      expect([status, body.error.code]).to.deep.equal([503, 'halted'])
  })

  it('goes on when those with more than two thirds of the power have cleared the halt', async () => {
    const halted = lying.firstWithheld + STREAK - 1
    await lying.restartAll((i) => (i < 2 ? lying.halt(i, 'clear') : Promise.resolve()))
    await eventually('blocks', () => lying.all(async (i) => (await lying.appHeight(i)) > halted + 4), 90_000)
    await eventually('all', () => lying.all(async (i) => (await lying.readiness(i)) === 'ready'), 60_000)
    expect((await txOf(3)).final).to.equal(true)
    expect(await (await fetch(lying.net.info.nodes[0]!.metrics)).text()).to.match(/^fornax_halted 0$/m)
    // Votes on the last block were still those of liars. The first healthy one tells of the update, and CometBFT has it two
    // heights later.
    const { rpc } = lying.net.info.nodes[0]!
    let healthy = halted + 1
    while ((await appHash(rpc, healthy + 1)) === (await appHash(rpc, healthy))) healthy++
    expect(healthy).to.be.within(halted + 1, halted + 2)
    const sets = await Promise.all([1, 2].map((n) => powers(healthy + n)))
    expect(sets).to.deep.equal([
      [400, 300, 200, 100],
      [400, 300, 200, 150],
    ])
    const hashes = await Promise.all(lying.net.info.nodes.map(({ rpc }) => appHash(rpc, halted + 4)))
    expect(new Set(hashes).size).to.equal(1)
  }).timeout(240_000)

  it('lets a validator that was down throughout catch up with it, to the same hashes', async () => {
    await lying.net.nodes[3]!.stop()
    const downAt = await lying.height(0)
    // Two lie, with 500 of 1,050.
    await lying.lie(downAt + 6, ON_AND_ON)
    const running = [0, 1, 2]
    const each = async (holds: (i: number) => Promise<boolean>): Promise<boolean> =>
      (await Promise.all(running.map(holds))).every(Boolean)
    const halted = await lying.halted(running)
    await lying.restartAll((i) => lying.halt(i, 'clear'), running)
    await eventually('blocks', () => each(async (i) => (await lying.appHeight(i)) > halted + 3), 90_000)
    lying.net.restart(3)
    await eventually('the fourth', async () => (await lying.appHeight(3)) > halted + 3, 60_000)
    await eventually('its readiness', async () => (await lying.readiness(3)) === 'ready', 60_000)
    const hashes = (i: number): Promise<string[]> =>
      Promise.all(
        Array.from({ length: halted + 3 - downAt }, (_, n) =>
          appHash(lying.net.info.nodes[i]!.rpc, downAt + 1 + n),
        ),
      )
    expect(await hashes(3)).to.deep.equal(await hashes(0))
  }).timeout(240_000)
})

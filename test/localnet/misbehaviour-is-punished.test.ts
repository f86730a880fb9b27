import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyAsync } from '@noble/ed25519'
import { expect } from 'chai'
import { AUTHORITY } from '../../core/authority.ts'
import { fromBase64, toHex, utf8 } from '../../core/bytes.ts'
import { ensureKeys } from '../../daemon/comet/keys.ts'
import { heightOf } from '../../localnet/localnet.ts'
import { eventually } from '../kit/eventually.ts'
import { fornaxd } from '../kit/fornaxd/fornaxd.ts'
import { equivocation } from '../kit/localnet/equivocation.ts'
import { type TestLocalnet, testLocalnet } from '../kit/localnet/localnet.ts'
import { deathFile, type Lie, lieFile } from '../kit/localnet/lying.ts'
import { loadLying } from '../kit/localnet/lying-net.ts'
import { tempDir } from '../kit/temp-dir.ts'

const FRX = 10n ** 18n

interface Validator {
  readonly jailed: boolean
  readonly status: string
  readonly tokens: string
}
interface Mark {
  readonly mark: {
    readonly chain_id: string
    readonly node: string
    readonly height: string
    readonly reason: string
    readonly score: number
    readonly model_hash: string
    readonly issuer: string
  }
  readonly pub_key: string
  readonly signature: string
}
interface Ban {
  readonly node: string
  readonly reason: string
  readonly score: number
  readonly height: string
  readonly marks: readonly Mark[]
}
interface Decision {
  readonly node: string
  readonly penalty: string
  readonly trigger_ban: boolean
  readonly reason: string
  readonly score: number
}

describe('Misbehaving validators of a network', () => {
  const dir = tempDir()
  let unload: () => void
  let net: TestLocalnet

  before(async function () {
    this.timeout(300_000)
    unload = loadLying()
    net = await testLocalnet({
      validators: 5,
      settings: [['agents.telemetry', 'true']],
      appState: {
        // The machine of a test may have no time to spare.
        agents: {
          params: {
            jail_blocks: '20',
            horizon_blocks: '20',
            overload_cpu: 10_001,
            overload_latency_ms: 10_001,
          },
        },
        gov: { params: { voting_period: '60s', expedited_voting_period: '10s' } },
      },
    })
  })
  after(async function () {
    this.timeout(60_000)
    unload()
    await net?.remove()
    dir.remove()
  })

  const json = async <T>(url: string): Promise<T> => (await (await fetch(url)).json()) as T
  const rpc = async <T>(path: string): Promise<T> =>
    (await json<{ result: T }>(`${net.info.nodes[0]!.rpc}/${path}`)).result
  const get = <T>(path: string, height?: number): Promise<T> =>
    height === undefined
      ? json(net.info.nodes[0]!.rest + path)
      : fetch(net.info.nodes[0]!.rest + path, { headers: { 'x-cosmos-block-height': `${height}` } }).then(
          (answer) => answer.json() as T,
        )
  const operator = (i: number): string => net.info.nodes[i]!.operator_address
  const validator = async (i: number): Promise<Validator> =>
    (await get<{ validator: Validator }>(`/cosmos/staking/v1beta1/validators/${operator(i)}`)).validator
  const standing = (i: number): Promise<{ pool: string; score: number; banned: boolean }> =>
    get(`/fornax/agents/v1/standings/${operator(i)}`)
  const consensus = async (): Promise<{ agreeing: number; zenith_size: number }> =>
    (await get<{ state: { agreeing: number; zenith_size: number } }>('/fornax/agents/v1/consensus')).state
  const bans = async (): Promise<readonly Ban[]> =>
    (await get<{ bans: Ban[] }>('/fornax/agents/v1/bans')).bans
  const powerOf = async (i: number): Promise<bigint> => {
    const { validators } = await rpc<{ validators: { address: string; voting_power: string }[] }>(
      'validators?per_page=100',
    )
    const address = toHex(ensureKeys(net.info.nodes[i]!.home).validator.address).toUpperCase()
    return BigInt(validators.find((v) => v.address === address)?.voting_power ?? 0)
  }
  /** The decisions of one block. */
  const decisions = async (height: number): Promise<readonly Decision[]> =>
    (await get<{ decisions: { decisions: Decision[] } }>('/fornax/agents/v1/decisions', height)).decisions
      .decisions
  const cli = async (i: number, ...args: string[]): Promise<string> => {
    const { home, rpc } = net.info.nodes[i]!
    const { code, stdout, stderr } = await fornaxd([
      ...args,
      '--home',
      home,
      '--node',
      rpc,
      '--output',
      'json',
    ])
    expect(code, stderr).to.equal(0)
    return stdout
  }
  const tx = (i: number, ...args: string[]): Promise<string> =>
    cli(i, 'tx', ...args, '--from', 'validator', '--gas', '500000', '--keyring-backend', 'test', '--yes')

  it('send their telemetry, and none has a bad score', async () => {
    await eventually(
      'telemetry of all',
      async () =>
        (
          await Promise.all(
            net.nodes.map((_, i) =>
              get<{ metrics: object | null }>(`/fornax/classifier/v1/metrics/${operator(i)}`),
            ),
          )
        ).every(({ metrics }) => metrics !== null),
      60_000,
    )
    const { scores } = await get<{ scores: { score: number }[] }>('/fornax/classifier/v1/scores')
    expect(scores.map(({ score }) => score < 2_000)).to.deep.equal(net.nodes.map(() => true))
    await eventually('a score that is agreed', async () => (await heightOf(net.info.nodes[0]!))! > 9, 60_000)
    const verified = JSON.parse(await cli(0, 'query', 'classifier', 'verify', '--height', '6'))
    expect([verified.equal, verified.scores.length]).to.deep.equal([true, 5])
  }).timeout(90_000)

  it('go on without the scores of one whose engine dies, to the same app hash', async () => {
    const { home } = net.info.nodes[1]!
    writeFileSync(deathFile(home), '')
    const failures = async (afterMs = 0): Promise<number> => {
      await new Promise((resolve) => setTimeout(resolve, afterMs))
      const text = await (await fetch(net.info.nodes[1]!.metrics)).text()
      return Number(/^fornax_inference_failures_total (\d+)/m.exec(text)?.[1] ?? 0)
    }
    await eventually('failures', async () => (await failures()) > 3, 60_000)
    const height = (await heightOf(net.info.nodes[1]!))! - 1
    const hashes = await Promise.all(
      [0, 1].map(
        async (i) =>
          (
            await json<{ result: { header: { app_hash: string } } }>(
              `${net.info.nodes[i]!.rpc}/header?height=${height}`,
            )
          ).result.header.app_hash,
      ),
    )
    expect(hashes[1]).to.equal(hashes[0])
    const { agreeing, zenith_size } = await consensus()
    expect(zenith_size - agreeing).to.be.at.most(1)
    await eventually('the gravity of it', async () => (await standing(1)).pool === 'Horizon', 60_000)
    rmSync(deathFile(home))
    await eventually('its engine', async () => (await failures()) === (await failures(700)), 30_000)
  }).timeout(150_000)

  it('are moved to Horizon when they stand still, and keep their stake', async () => {
    const { tokens } = await validator(2)
    // Who is in good standing must hold two thirds of the power without both of them.
    await eventually('the one before', async () => /Zenith|Meridian/.test((await standing(1)).pool), 90_000)
    net.nodes[2]!.kill('SIGSTOP')
    await eventually('Horizon', async () => (await standing(2)).pool === 'Horizon', 90_000)
    net.nodes[2]!.kill('SIGCONT')
    expect(await validator(2)).to.include({ tokens, jailed: false })
    await eventually('good standing', async () => /Zenith|Meridian/.test((await standing(2)).pool), 120_000)
  }).timeout(330_000)

  it('are jailed when they lie, come back into Horizon, and into good standing', async () => {
    const { tokens } = await validator(2)
    const { home } = net.info.nodes[2]!
    const lie: Lie = { place: 0, score: 9_999, from: (await heightOf(net.info.nodes[0]!))!, to: 1_000_000 }
    writeFileSync(lieFile(home), JSON.stringify(lie))
    await eventually('its jail', async () => (await validator(2)).jailed, 90_000)
    rmSync(lieFile(home))
    expect(BigInt((await validator(2)).tokens)).to.equal((BigInt(tokens) * 9_999n) / 10_000n)
    const end = (await heightOf(net.info.nodes[0]!))! + 25
    await eventually('its time', async () => (await heightOf(net.info.nodes[2]!))! > end, 90_000)
    await tx(2, 'slashing', 'unjail')
    await eventually('its power', async () => (await powerOf(2)) > 0n, 30_000)
    await eventually('Horizon', async () => (await standing(2)).pool === 'Horizon', 30_000)
    await eventually('good standing', async () => /Zenith|Meridian/.test((await standing(2)).pool), 60_000)
  }).timeout(300_000)

  it('are banned for voting twice, under the marks of the others, which anybody can verify', async () => {
    const before = BigInt((await validator(3)).tokens)
    const power = await powerOf(3)
    await broadcastEvidence(3)
    await eventually('the ban', async () => (await bans()).length === 1, 60_000)
    const height = Number((await bans())[0]!.height)
    const decision = (await decisions(height)).find(({ node }) => node === operator(3))
    expect(decision).to.include({ penalty: 'PermanentBan', trigger_ban: true, reason: 'ByzantineVote' })
    expect(decision!.score).to.be.at.least(8_000)
    expect(BigInt((await validator(3)).tokens)).to.equal(before - (power * FRX) / 20n)
    await eventually('power 0', async () => (await powerOf(3)) === 0n, 30_000)
    await eventually('three marks', async () => (await bans())[0]!.marks.length >= 3, 60_000)
    const { marks } = (await bans())[0]!
    for (const { mark, pub_key, signature } of marks) {
      const lines = [
        'fornax/ban-mark',
        mark.chain_id,
        mark.node,
        mark.height,
        mark.reason,
        mark.score,
        toHex(fromBase64(mark.model_hash)),
        mark.issuer,
      ]
      expect(mark).to.include({ chain_id: net.info.chain_id, node: operator(3), reason: 'ByzantineVote' })
      expect(await verifyAsync(fromBase64(signature), utf8(lines.join('\n')), fromBase64(pub_key))).to.equal(
        true,
      )
    }
    expect(new Set(marks.map(({ mark }) => mark.issuer)).size).to.equal(marks.length)
    const told = JSON.parse(
      await cli(0, 'query', 'agents', 'explain', operator(3), '--height', `${height + 1}`),
    )
    expect(told).to.include({ banned: true, agreed_score: decision!.score })
    const points = Object.fromEntries(
      told.contributions.map((c: { group: string; points: number }) => [c.group, c.points]),
    )
    expect(points.evidence).to.be.at.least(2_000)
  }).timeout(180_000)

  it('are not punished twice', async () => {
    const before = [await validator(3), (await bans())[0]!.height]
    const height = (await heightOf(net.info.nodes[0]!))!
    await broadcastEvidence(3, Number((await bans())[0]!.height) - 6)
    await eventually('blocks', async () => (await heightOf(net.info.nodes[0]!))! > height + 6, 30_000)
    const carried = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        rpc<{ block: { evidence: { evidence: unknown[] | null } } }>(`block?height=${height + 1 + i}`),
      ),
    )
    expect(carried.flatMap(({ block }) => block.evidence.evidence ?? [])).to.have.length(1)
    expect([await validator(3), (await bans())[0]!.height]).to.deep.equal(before)
  }).timeout(90_000)

  it('are pardoned by governance alone', async () => {
    const file = join(dir.path, 'proposal.json')
    writeFileSync(
      file,
      JSON.stringify({
        messages: [{ '@type': '/fornax.agents.v1.MsgLiftBan', authority: AUTHORITY, node: operator(3) }],
        metadata: '',
        deposit: `${10n * FRX}afrx`,
        title: 'lift a ban',
        summary: 'it was a drill',
      }),
    )
    await tx(0, 'gov', 'submit-proposal', file)
    await Promise.all([0, 2, 4].map((i) => tx(i, 'gov', 'vote', '1', 'yes')))
    await eventually('the pardon', async () => (await bans()).length === 0, 90_000)
    await tx(3, 'slashing', 'unjail')
    await eventually('its power', async () => (await powerOf(3)) > 0n, 30_000)
    await eventually('Horizon', async () => (await standing(3)).pool === 'Horizon', 30_000)
  }).timeout(180_000)

  async function broadcastEvidence(i: number, at?: number): Promise<void> {
    const key = ensureKeys(net.info.nodes[i]!.home).validator
    const height = at ?? (await heightOf(net.info.nodes[0]!))! - 1
    const { validators } = await rpc<{ validators: { address: string; voting_power: string }[] }>(
      `validators?height=${height}&per_page=100`,
    )
    const validatorIndex = validators.findIndex((v) => v.address === toHex(key.address).toUpperCase())
    const { block } = await rpc<{ block: { header: { time: string } } }>(`block?height=${height}`)
    const evidence = equivocation(key, {
      chainId: net.info.chain_id,
      height,
      time: block.header.time,
      validatorIndex,
      validatorPower: Number(validators[validatorIndex]!.voting_power),
      totalPower: validators.reduce((sum, v) => sum + Number(v.voting_power), 0),
    })
    const answer = await fetch(net.info.nodes[0]!.rpc, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'broadcast_evidence', params: { evidence } }),
    })
    expect(await answer.json()).to.have.nested.property('result.hash')
  }
})

import { join } from 'node:path'
import { expect } from 'chai'
import { ensureAgentKey } from '../../daemon/validator/agent-key.ts'
import { AgentSigner, agentKeyMessage } from '../../daemon/validator/agent-signer.ts'
import type { TelemetryBody } from '../../modules/classifier/api.ts'
import type { QueryPoolsResponse } from '../../proto/gen/fornax/agents/v1/query.ts'
import { CHAIN_ID } from '../kit/app/chain.ts'
import { ScoredChain, section } from '../kit/app/scored-chain.ts'
import { tempDir } from '../kit/temp-dir.ts'

const TEN = Array.from({ length: 10 }, (_, i) => `validator ${i}`)
const calm = { cpu_pct: 20, latency_ms: 40, connections: 9, net_contrib: 1 }
const busy = { cpu_pct: 90, latency_ms: 1_500, connections: 9, net_contrib: 1 }

describe('The Routing Agent', () => {
  const dir = tempDir()
  let net: ScoredChain
  after(() => dir.remove())
  afterEach(() => net?.stop())

  const pools = (): Promise<QueryPoolsResponse> => net.chain.query('/fornax.agents.v1.Query/Pools')
  const keyFile = (name: string): string => join(dir.path, `${name}.json`)

  function tell(name: string, telemetry: Omit<TelemetryBody, 'node'>): Uint8Array {
    const { state, height } = net.chain
    const signer = new AgentSigner(keyFile(name), () => Number(net.chain.timeOf(height) / 1_000_000n))
    const ctx = state.view('committed', Number(height))
    return signer.submitTelemetry(ctx, signer.agent(ctx)!, telemetry)
  }

  it('names another pool within two blocks of the load that its members tell', async () => {
    const agents = section('agents')
    const params = { ...(agents['params'] as object), zenith_size: 5 }
    net = await ScoredChain.start({ validators: TEN, appState: { agents: { ...agents, params } } })
    await net.blocks(3)
    const keys = TEN.map((name) =>
      net.sign(name, agentKeyMessage(ensureAgentKey(keyFile(name)).current, CHAIN_ID, net.operator(name))),
    )
    expect((await net.block({}, ...keys)).txResults.map(({ log }) => log)).to.deep.equal(TEN.map(() => ''))
    const [zenith, meridian] = (await pools()).pools
    expect([zenith!.members.length, meridian!.members.length]).to.deep.equal([5, 5])
    const isIn = (name: string): boolean => zenith!.members.includes(net.operator(name))
    await net.block({}, ...TEN.map((name) => tell(name, isIn(name) ? calm : busy)))
    expect((await pools()).preferred).to.equal(0)
    const told = await net.block({}, ...TEN.map((name) => tell(name, isIn(name) ? busy : calm)))
    expect(told.txResults.map(({ log }) => log)).to.deep.equal(TEN.map(() => ''))
    await net.block()
    const after = await pools()
    expect(after.preferred).to.equal(1)
    expect(after.pools[0]!.estimatedLatencyMs).to.be.greaterThan(after.pools[1]!.estimatedLatencyMs)
    expect(after.pools.map(({ members }) => members.length)).to.deep.equal([5, 5, 0])
  })

  it('names no pool of silent validators, though it is the turn of one to propose', async () => {
    net = await ScoredChain.start({ validators: TEN })
    await net.blocks(10)
    for (let i = 0; i < 60; i++) {
      await net.block({ absent: [TEN[3]!] })
      const { preferred, pools: all } = await pools()
      const horizon = all[2]!.members
      expect(preferred, `${i}`).to.not.equal(2)
      if (i > 34) expect(horizon).to.deep.equal([net.operator(TEN[3]!)])
    }
  })
})

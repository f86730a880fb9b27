import { join } from 'node:path'
import { expect } from 'chai'
import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { BlockAge } from '../../daemon/block-age.ts'
import type { Status } from '../../daemon/client/rpc.ts'
import { telemetryRoute } from '../../daemon/http/rest/routes/telemetry.ts'
import { createMetrics } from '../../daemon/metrics.ts'
import { showAgents } from '../../daemon/node/agent-gauges.ts'
import { ensureAgentKey } from '../../daemon/validator/agent-key.ts'
import { AgentSigner, agentKeyMessage } from '../../daemon/validator/agent-signer.ts'
import { Agents } from '../../daemon/validator/agents.ts'
import { StandingWatch } from '../../daemon/validator/standing-watch.ts'
import { TelemetryWatch } from '../../daemon/validator/telemetry-watch.ts'
import { CHAIN_ID, user } from '../kit/app/chain.ts'
import { fornaxd, type Run } from '../kit/fornaxd/fornaxd.ts'
import { RestChain } from '../kit/http/rest.ts'
import { tempDir } from '../kit/temp-dir.ts'

const votes = [{ name: 'validator', power: 100n }]
const me = formatAddress(user('validator').address, VALIDATOR_PREFIX)
const well = { cpu_pct: 30, latency_ms: 2.5, connections: 5, net_contrib: 12 }

describe('Telemetry that cannot be', () => {
  const dir = tempDir()
  const keyFile = join(dir.path, 'agent_key.json')
  const { current: key } = ensureAgentKey(keyFile)
  let rest: RestChain
  let signer: AgentSigner
  let watch: TelemetryWatch
  let logged: string[]
  let skewMs: number
  let sinceBlockMs: number

  const now = (): number => Number(rest.chain.timeOf(rest.chain.height) / 1_000_000n) + skewMs
  beforeEach(async () => {
    logged = []
    skewMs = 0
    sinceBlockMs = 0
    signer = new AgentSigner(keyFile, now)
    const log = {
      info: (fields: object, message: string) => logged.push(`info ${message} ${JSON.stringify(fields)}`),
      warn: (fields: object, message: string) => logged.push(`warn ${message} ${JSON.stringify(fields)}`),
      error: () => {},
    }
    watch = new TelemetryWatch(log, now)
    rest = await RestChain.start(
      {},
      { routes: [telemetryRoute(watch, new BlockAge(1_000, () => sinceBlockMs))] },
    )
  })
  afterEach(() => rest.stop())
  after(() => dir.remove())

  const look = (): void => {
    const ctx = rest.chain.state.view('committed')
    watch.look(ctx, signer.agent(ctx))
  }
  const register = async (): Promise<void> => {
    const message = agentKeyMessage(key, CHAIN_ID, me)
    const { txResults } = await rest.chain.blockWith(
      { votes },
      rest.chain.sign('validator', { messages: [message] }),
    )
    expect(txResults[0]!.log).to.equal('')
  }
  /** A block with these telemetry of the host, and a look at it. */
  const tell = async (telemetry: typeof well): Promise<void> => {
    const ctx = rest.chain.state.view('committed')
    const tx = signer.submitTelemetry(ctx, signer.agent(ctx)!, telemetry)
    expect((await rest.chain.blockWith({ votes }, tx)).txResults[0]!.log).to.equal('')
    look()
  }
  const faults = (): string[] => watch.status.findings.map(({ fault }) => fault)
  const check = (...more: string[]): Promise<Run> =>
    fornaxd(['agent', 'check', '--rest', rest.server.url, '--home', dir.path, ...more])

  it('is a line in the log once, with what to do, and one more when it is gone', async () => {
    await register()
    await tell(well)
    expect(logged).to.deep.equal([])
    for (let i = 0; i < 3; i++) await tell({ ...well, latency_ms: 45_000, cpu_pct: 100 })
    expect(faults()).to.deep.equal(['cpu', 'latency'])
    expect(logged).to.have.length(2)
    expect(logged[0]).to.match(/^warn telemetry: .*100 %.*Overload.*sum of cores/)
    expect(logged[1]).to.match(/^warn telemetry: .*45000 ms.*divide microseconds by 1,000/)
    for (let i = 0; i < 3; i++) await tell(well)
    expect([faults(), logged.length]).to.deep.equal([[], 4])
    expect(logged[3]).to.equal('info telemetry: this fault is gone {"fault":"latency"}')
  })

  it('is told as a penalty once, however often its cause comes and goes', async () => {
    const told: string[] = []
    const write = (fields: object) => void told.push((fields as { reason: string }).reason)
    const standing = new StandingWatch({ info: write, warn: write, error: write })
    await register()
    for (const cpu_pct of [99, 30, 99, 30, 99]) {
      await tell({ ...well, cpu_pct })
      const ctx = rest.chain.state.view('committed')
      standing.look(ctx, signer.agent(ctx))
    }
    expect(standing.standing).to.equal('horizon')
    // Nobody proposes these blocks either.
    expect(told).to.deep.equal(['Overload', 'MissedProposals'])
  })

  it('is told of a clock that is not the chain’s, of which one block after a standstill says nothing', async () => {
    await register()
    await tell(well)
    skewMs = 95_000
    await rest.chain.blockWith({ votes })
    look()
    expect(faults()).to.deep.equal([])
    await rest.chain.blockWith({ votes })
    look()
    expect([faults(), watch.status.clockMs]).to.deep.equal([['clock'], 95_000])
    expect(logged[0]).to.match(/95 s ahead of the chain's time.*synchronise the clock/)
    skewMs = -95_000
    look()
    expect(watch.status.findings[0]!.what).to.include('95 s behind')
    skewMs = 4_000
    look()
    expect([faults(), logged.length]).to.deep.equal([[], 2])
  })

  it('is none in a clock that is ahead only while the node, which was away, catches up', async () => {
    await register()
    await tell(well)
    // Stopped for 172 s: then blocks of 5 s come each 0.1 s, of which one takes as long as ever.
    for (const [i, behindMs] of Array.from({ length: 35 }, (_, n) => 172_000 - 4_900 * n).entries())
      for (const _ of i === 6 ? [1, 2] : [1]) {
        skewMs = behindMs
        await rest.chain.blockWith({ votes })
        look()
      }
    expect([faults(), logged]).to.deep.equal([[], []])
  })

  it('stays told of a clock where one block comes early', async () => {
    await register()
    await tell(well)
    for (const ms of [95_000, 95_000, 91_000, 95_000]) {
      skewMs = ms
      await rest.chain.blockWith({ votes })
      look()
    }
    expect([faults(), logged.length]).to.deep.equal([['clock'], 1])
  })

  it('is told where no more comes, before that is StaleTelemetry', async () => {
    await register()
    await tell(well)
    for (let i = 0; i < 59; i++) await rest.chain.blockWith({ votes })
    look()
    expect(faults()).to.deep.equal([])
    await rest.chain.blockWith({ votes })
    look()
    expect(faults()).to.deep.equal(['stale'])
    expect(logged[0]).to.match(/60 blocks old, and StaleTelemetry from 120 on/)
  })

  it('is none where no more comes of a validator out of the set, or just back in it', async () => {
    await register()
    await tell(well)
    for (let i = 0; i < 130; i++) await rest.chain.blockWith({ votes: [] })
    look()
    expect(faults()).to.deep.equal([])
    await rest.chain.blockWith({ votes })
    look()
    expect([faults(), logged]).to.deep.equal([[], []])
  })

  it('is a gauge for each fault, and an answer at /agents/telemetry', async () => {
    await register()
    await tell({ ...well, latency_ms: 45_000 })
    const metrics = createMetrics({ processMetrics: false })
    showAgents(rest.chain.state, metrics, { telemetry: watch, standing: { standing: undefined } })
    const text = await metrics.registry.metrics()
    for (const [fault, value] of Object.entries({ cpu: 0, latency: 1, clock: 0, stale: 0 }))
      expect(text).to.include(`fornax_telemetry_fault{fault="${fault}"} ${value}\n`)
    const { status, body } = await rest.get('/agents/telemetry')
    const { findings, ...told } = body
    const last = { height: Number(rest.chain.height), ...well, latency_ms: 45_000 }
    expect([status, told]).to.deep.equal([
      200,
      {
        validator: me,
        height: Number(rest.chain.height),
        last,
        clock_ms: 0,
        block_age_ms: 0,
        stalled: false,
      },
    ])
    expect(findings.map(({ fault }: { fault: string }) => fault)).to.deep.equal(['latency'])
  })

  it('is what `fornaxd agent check` tells, and exits with 1 for', async () => {
    look()
    const nobodys = await check()
    expect([nobodys.code, nobodys.stderr]).to.deep.equal([0, ''])
    expect(nobodys.stdout).to.include("no validator's")
    await register()
    await tell(well)
    const fine = await check()
    expect([fine.code, fine.stdout.trim().split('\n').at(-1)]).to.deep.equal([0, 'all is well'])
    sinceBlockMs = 95_000
    const still = await check()
    expect([still.code, still.stderr]).to.deep.equal([1, ''])
    expect(still.stdout).to.match(/^block {6}no block for 95 s: the network, or this node, stands still\n$/m)
    sinceBlockMs = 4_000
    await tell({ ...well, latency_ms: 45_000 })
    const wrong = await check()
    expect([wrong.code, wrong.stderr]).to.deep.equal([1, ''])
    expect(wrong.stdout).to.match(/^latency {4}.*45000 ms.*\n +latency_ms is in milliseconds/m)
    const json = await check('--output', 'json')
    expect([json.code, JSON.parse(json.stdout).findings[0].fault]).to.deep.equal([1, 'latency'])
    const away = await fornaxd(['agent', 'check', '--rest', 'http://127.0.0.1:1', '--home', dir.path])
    expect([away.code, away.stdout]).to.deep.equal([3, ''])
    expect((await fornaxd(['agent', 'check', '--rest', 'nonsense'])).code).to.equal(2)
  }).timeout(60_000)

  it('is looked for by the agents of a node that keeps up with the chain', async () => {
    await register()
    let catchingUp = true
    const agents = new Agents({
      chain: rest.chain.state,
      rpc: {
        status: async () => ({ sync_info: { catching_up: catchingUp } }) as Status,
        peers: async () => [],
        broadcastTxSync: async () => ({ code: 0, codespace: '', log: '', data: '', hash: '' }),
      },
      signer,
      banMarks: false,
      log: { info() {}, warn() {}, error() {} },
      watches: [watch],
    })
    await agents.onCommit()
    expect(watch.status.height).to.equal(0n)
    catchingUp = false
    await agents.onCommit()
    expect([watch.status.height, watch.status.validator]).to.deep.equal([rest.chain.height, me])
  })
})

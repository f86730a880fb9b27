import { join } from 'node:path'
import { expect } from 'chai'
import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { sectionToJson } from '../../core/genesis-section.ts'
import { decodeTx } from '../../core/tx/decode.ts'
import { RpcUnavailable, type Status } from '../../daemon/client/rpc.ts'
import type { CometKey } from '../../daemon/comet/keys.ts'
import { ensureAgentKey, rotateAgentKey } from '../../daemon/validator/agent-key.ts'
import { AgentSigner, agentKeyMessage } from '../../daemon/validator/agent-signer.ts'
import { Agents, type AgentsOptions } from '../../daemon/validator/agents.ts'
import { OwnTelemetry } from '../../daemon/validator/own-telemetry.ts'
import { banOf } from '../../modules/agents/api.ts'
import { agentsGenesis } from '../../modules/agents/genesis.ts'
import { telemetryOf } from '../../modules/classifier/api.ts'
import { CHAIN_ID, TestChain, user } from '../kit/app/chain.ts'
import { tempDir } from '../kit/temp-dir.ts'

const VALIDATORS = ['validator', 'second']
const votes = VALIDATORS.map((name) => ({ name, power: 100n }))
const me = user('validator')
const myName = formatAddress(me.address, VALIDATOR_PREFIX)
const mallory = user('mallory')
const ban = {
  node: formatAddress(mallory.address, VALIDATOR_PREFIX),
  height: '1',
  reason: 'ByzantineVote',
  score: 9_000,
  feature_height: '1',
  first_height: '1',
  power: '1',
}
const telemetry = { cpu_pct: 50, latency_ms: 1, connections: 2, net_contrib: 3 }

describe("the agents of a validator's node", () => {
  const dir = tempDir()
  const keyFile = join(dir.path, 'agent_key.json')
  ensureAgentKey(keyFile)
  let chain: TestChain
  let sent: Uint8Array[]
  let logged: string[]
  let results: string[]
  let node: { up: boolean; catchingUp: boolean; takes: boolean }

  async function register(key: CometKey): Promise<void> {
    const message = agentKeyMessage(key, CHAIN_ID, myName)
    const tx = chain.sign('validator', { messages: [message] })
    expect((await chain.blockWith({ votes }, tx)).txResults[0]!.log).to.equal('')
  }
  /** CometBFT's part is played with the application's own CheckTx. */
  const rpc: AgentsOptions['rpc'] = {
    async status() {
      if (!node.up) throw new RpcUnavailable('status: nobody there')
      return { sync_info: { catching_up: node.catchingUp } } as Status
    },
    peers: async () => [],
    async broadcastTxSync(tx) {
      if (!node.takes) throw new RpcUnavailable('broadcast: nobody there')
      const { code, codespace, log } = await chain.check(tx)
      if (code === 0) sent.push(tx)
      return { code, codespace, log, data: '', hash: '' }
    },
  }
  const agents = (options: Partial<AgentsOptions> = {}) =>
    new Agents({
      chain: chain.state,
      rpc,
      signer: new AgentSigner(keyFile, () => Number(chain.timeOf(chain.height) / 1_000_000n)),
      banMarks: false,
      log: {
        info: (_, message) => logged.push(`info ${message}`),
        warn: (_, message) => logged.push(`warn ${message}`),
        error: (_, message) => logged.push(`error ${message}`),
      },
      onDone: (work, isDone) => results.push(`${work} ${isDone ? 'done' : 'failed'}`),
      sampler: { sample: async () => telemetry },
      ...options,
    })
  const typesOf = () => sent.map((tx) => decodeTx(tx).messages[0]!.typeUrl.split('.').pop())

  beforeEach(async () => {
    sent = []
    logged = []
    results = []
    node = { up: true, catchingUp: false, takes: true }
    const section = { ...sectionToJson(agentsGenesis, agentsGenesis.defaults()), bans: [ban] }
    chain = await TestChain.start({
      validators: VALIDATORS,
      voteExtensions: true,
      appState: { agents: section },
    })
    await chain.blockWith({ votes })
    await register(ensureAgentKey(keyFile).current)
  })
  afterEach(() => chain.stop())
  after(() => dir.remove())

  it('sample the host for the votes of a node that votes, block after block', async () => {
    const own = new OwnTelemetry()
    const mine = agents({ telemetry: own })
    await mine.onCommit()
    expect([own.forVote(chain.height), results]).to.deep.equal([new Uint8Array(0), []])
    for (let i = 1; i <= 3; i++) {
      await mine.onCommit()
      const told = own.forVote(chain.height)
      const report = new Uint8Array(0)
      await chain.blockWith({
        votes: votes.map((vote, v) => (v === 0 ? { ...vote, report, telemetry: told } : vote)),
      })
      const last = telemetryOf(chain.state.view('committed'), me.address)
      expect(last).to.include({ cpu: 5_000, latencyUs: 1_000, connections: 2, netContrib: 3_000n })
      expect(last!.height).to.equal(chain.height)
    }
    expect([sent, results]).to.deep.equal([[], Array.from({ length: 3 }, () => 'telemetry done')])
  })

  it('send nothing without a key that the chain knows', async () => {
    const other = join(dir.path, 'other.json')
    ensureAgentKey(other)
    await agents({ banMarks: true, signer: new AgentSigner(other) }).onCommit()
    expect([sent, logged]).to.deep.equal([[], []])
  })

  it('send nothing while the node catches up or its CometBFT is not there', async () => {
    const mine = agents({ banMarks: true })
    node.up = false
    await mine.onCommit()
    node = { ...node, up: true, catchingUp: true }
    await mine.onCommit()
    expect([sent, logged]).to.deep.equal([[], []])
    node.catchingUp = false
    await mine.onCommit()
    expect(typesOf()).to.deep.equal(['MsgSubmitBanMark'])
  })

  it('sign a ban once, and again ever more rarely until the mark stands', async () => {
    const mine = agents({ banMarks: true })
    const heights: number[] = []
    for (let i = 0; i < 30; i++) {
      const before = sent.length
      await mine.onCommit()
      if (sent.length > before) heights.push(chain.store.height)
      await chain.blockWith({ votes })
    }
    expect(heights.map((h) => h - heights[0]!)).to.deep.equal([0, 4, 12, 28])
    expect((await chain.blockWith({ votes }, sent[0]!)).txResults[0]!.log).to.equal('')
    const { marks } = banOf(chain.state.view('committed'), mallory.address)!
    expect(marks.map(({ mark }) => mark.issuer)).to.deep.equal([myName])
    const count = sent.length
    for (let i = 0; i < 40; i++) {
      await mine.onCommit()
      await chain.blockWith({ votes })
    }
    expect(sent).to.have.length(count)
  })

  it('say a failure once, and that it is over', async () => {
    const own = new OwnTelemetry()
    own.forVote(1n)
    let isBroken = true
    const sample = async () => {
      if (isBroken) throw new RpcUnavailable('net_info: nobody there')
      return telemetry
    }
    const mine = agents({ telemetry: own, sampler: { sample } })
    for (let i = 0; i < 3; i++) await mine.onCommit()
    expect(logged).to.deep.equal(['warn the agents failed: they go on trying'])
    expect(results).to.deep.equal(Array.from({ length: 3 }, () => 'telemetry failed'))
    expect(own.forVote(2n)).to.have.length(0)
    isBroken = false
    await mine.onCommit()
    expect(logged.slice(1)).to.deep.equal(['info the agents work again'])
    expect(own.forVote(3n)).to.have.length(18)
    await mine.stop()
    await mine.onCommit()
    expect(results).to.have.length(4)
  })

  it('sign with the old key until the chain knows the new one', async () => {
    const mine = agents({ banMarks: true })
    const { current } = rotateAgentKey(keyFile)
    await mine.onCommit()
    await register(current)
    for (let i = 0; i < 4; i++) {
      await mine.onCommit()
      if (sent.length < 2) await chain.blockWith({ votes })
    }
    expect(sent).to.have.length(2)
    expect((await chain.blockWith({ votes }, sent[1]!)).txResults[0]!.log).to.equal('')
  })
})

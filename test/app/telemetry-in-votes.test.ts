import { join } from 'node:path'
import { expect } from 'chai'
import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { NO_BYTES, toHex, utf8 } from '../../core/bytes.ts'
import { cometRpc, type Status } from '../../daemon/client/rpc.ts'
import { signEd25519 } from '../../daemon/comet/keys.ts'
import { createToken, tokenVerifier } from '../../daemon/tokens.ts'
import { ensureAgentKey } from '../../daemon/validator/agent-key.ts'
import { AgentSigner, agentKeyMessage, telemetryTx } from '../../daemon/validator/agent-signer.ts'
import { OwnTelemetry } from '../../daemon/validator/own-telemetry.ts'
import {
  decodeVoteTelemetry,
  encodeVoteTelemetry,
  splitVoteExtension,
  telemetryOf,
  telemetrySignBytes,
} from '../../modules/classifier/api.ts'
import { CHAIN_ID, consensusAddress, user } from '../kit/app/chain.ts'
import type { TestVote } from '../kit/app/extended-commit.ts'
import { RestChain } from '../kit/http/rest.ts'
import { tempDir } from '../kit/temp-dir.ts'

const VALIDATORS = ['validator', 'second']
const me = formatAddress(user('validator').address, VALIDATOR_PREFIX)
const TOLD = { cpu: 1_250, latencyUs: 34_001, connections: 3, netContrib: 1_500n }
const BODY = { node: me, cpu_pct: 12.5, latency_ms: 34.0005, connections: 3, net_contrib: 1.5 }

describe('Telemetry in votes', () => {
  const dir = tempDir()
  const keyFile = join(dir.path, 'agent_key.json')
  const { current: key } = ensureAgentKey(keyFile)
  const tokens = join(dir.path, 'tokens.json')
  let rest: RestChain
  let own: OwnTelemetry
  let now: number
  let voter: string
  let headers: Record<string, string>
  let broadcast: Uint8Array[]

  const block = (telemetry: Uint8Array, fields: Partial<TestVote> = {}, ...txs: Uint8Array[]) =>
    rest.chain.blockWith(
      {
        votes: VALIDATORS.map((name, i) => ({
          name,
          power: 100n,
          report: NO_BYTES,
          ...(i === 0 && { telemetry, ...fields }),
        })),
      },
      ...txs,
    )
  const last = () => telemetryOf(rest.chain.state.view('committed'), user('validator').address)
  const extension = async (height = rest.chain.height + 1n) => {
    const { voteExtension } = await rest.chain.app.extendVote({ height } as never)
    return splitVoteExtension(voteExtension)!
  }

  beforeEach(async () => {
    now = 1_000_000
    own = new OwnTelemetry(() => now)
    voter = toHex(consensusAddress('validator')).toUpperCase()
    broadcast = []
    const rpc = {
      ...cometRpc('http://127.0.0.1:1'),
      status: async () => ({ validator_info: { address: voter } }) as Status,
      broadcastTxSync: async (tx: Uint8Array) => {
        broadcast.push(tx)
        return { code: 0, codespace: '', log: '', data: '', hash: 'AB' }
      },
    }
    const chain = { validators: VALIDATORS, voteExtensions: true, ownTelemetry: own }
    rest = await RestChain.start(
      {},
      {
        rpc,
        chain,
        ownTelemetry: own,
        signer: new AgentSigner(keyFile),
        credentials: { verifyToken: tokenVerifier(tokens), takesTokens: true },
      },
    )
    await block(
      NO_BYTES,
      {},
      rest.chain.sign('validator', { messages: [agentKeyMessage(key, CHAIN_ID, me)] }),
    )
    const { token } = await createToken(tokens, { key: 'alice', scopes: ['classifier'], expires: null })
    headers = { authorization: `Bearer ${token}` }
  })
  afterEach(() => rest.stop())
  after(() => dir.remove())

  it('becomes state in the block that carries the vote, and makes no transaction and no event', async () => {
    const { events, txResults } = await block(encodeVoteTelemetry(TOLD))
    expect(last()).to.deep.equal({ ...TOLD, height: rest.chain.height, timestampMs: 0n })
    expect(txResults).to.have.length(0)
    expect(JSON.stringify(events)).to.not.include('Metrics')
  })

  it('counts of who voted for the block, in its form and within its limits alone', async () => {
    await block(encodeVoteTelemetry(TOLD))
    const before = last()
    const beyond = encodeVoteTelemetry({ ...TOLD, cpu: 10_001 })
    expect(decodeVoteTelemetry(beyond)).to.equal(undefined)
    await block(beyond)
    await block(encodeVoteTelemetry({ ...TOLD, latencyUs: 60_000_001 }))
    await block(encodeVoteTelemetry(TOLD).subarray(1))
    await block(encodeVoteTelemetry(TOLD), { nil: true })
    await block(encodeVoteTelemetry(TOLD), { report: undefined })
    expect(last()).to.deep.equal(before)
  })

  it('gives way to a transaction of the same block, whose time stays the last one of a transaction', async () => {
    const body = utf8(JSON.stringify({ ...BODY, cpu_pct: 77 }))
    const timestampMs = rest.chain.timeOf(rest.chain.height + 1n) / 1_000_000n
    const signature = signEd25519(key, telemetrySignBytes(CHAIN_ID, timestampMs, body))
    const tx = telemetryTx(me, body, timestampMs, signature)
    const { txResults } = await block(encodeVoteTelemetry(TOLD), {}, tx)
    expect(txResults[0]!.log).to.equal('')
    expect(last()).to.deep.include({ cpu: 7_700, timestampMs })
    await block(encodeVoteTelemetry(TOLD))
    expect(last()).to.deep.include({ ...TOLD, timestampMs })
    expect((await block(NO_BYTES, {}, tx)).txResults[0]!.log).to.include('the latest')
  })

  it('is the last sample of a node that votes, for a minute, beside a report or without one', async () => {
    expect(own.isAsked).to.equal(false)
    expect(await extension()).to.deep.equal({ report: NO_BYTES, telemetry: NO_BYTES })
    expect(own.isAsked).to.equal(true)
    own.sample({ cpu_pct: 12.5, latency_ms: 34.0006, connections: 3, net_contrib: 1.5 })
    expect(decodeVoteTelemetry((await extension()).telemetry)).to.deep.equal(TOLD)
    now += 59_999
    expect((await extension()).telemetry).to.have.length(18)
    now += 1
    expect((await extension()).telemetry).to.have.length(0)
    own.sample({ cpu_pct: 1e9, latency_ms: -1, connections: 1e9, net_contrib: 1e300 })
    expect(decodeVoteTelemetry((await extension()).telemetry)).to.deep.equal({
      cpu: 10_000,
      latencyUs: 0,
      connections: 1_000_000,
      netContrib: 10n ** 12n,
    })
    now += 60_000
    expect(own.isAsked).to.equal(false)
  })

  it('that is posted goes with the next vote in all its rounds, and is told as the block that can carry it', async () => {
    await extension()
    own.sample({ cpu_pct: 1, latency_ms: 1, connections: 1, net_contrib: 1 })
    const { status, body } = await rest.post('/agents/metrics', BODY, headers)
    expect([status, body]).to.deep.equal([202, { accepted: true, height: rest.chain.store.height + 2 }])
    const height = rest.chain.height + 1n
    for (let round = 0; round < 3; round++)
      expect(decodeVoteTelemetry((await extension(height)).telemetry)).to.deep.equal(TOLD)
    const { telemetry } = await extension(height + 1n)
    expect(decodeVoteTelemetry(telemetry)).to.include({ cpu: 100 })
    expect(broadcast).to.deep.equal([])
  })

  it('that is posted is told no more where no vote came for a minute', async () => {
    await extension()
    expect((await rest.post('/agents/metrics', BODY, headers)).status).to.equal(202)
    now += 60_000
    own.sample({ cpu_pct: 1, latency_ms: 1, connections: 1, net_contrib: 1 })
    expect(decodeVoteTelemetry((await extension()).telemetry)).to.include({ cpu: 100 })
  })

  it('is a transaction where another node votes for the validator, or this one does not vote', async () => {
    expect((await rest.post('/agents/metrics', BODY, headers)).body).to.deep.equal({
      accepted: true,
      tx_hash: 'AB',
    })
    await extension()
    voter = toHex(consensusAddress('second')).toUpperCase()
    expect((await rest.post('/agents/metrics', BODY, headers)).body).to.deep.equal({
      accepted: true,
      tx_hash: 'AB',
    })
    expect(broadcast).to.have.length(2)
  })
})

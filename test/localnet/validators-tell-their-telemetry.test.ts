import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { decodeTxRaw } from '@cosmjs/proto-signing'
import { expect } from 'chai'
import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { fromBase64, sha256, toBase64, toHex, utf8 } from '../../core/bytes.ts'
import { signEd25519 } from '../../daemon/comet/keys.ts'
import { homeLayout } from '../../daemon/config/home.ts'
import { readAgentKeys } from '../../daemon/validator/agent-key.ts'
import { telemetrySignBytes } from '../../modules/classifier/api.ts'
import { user } from '../kit/app/chain.ts'
import { eventually } from '../kit/eventually.ts'
import { type Answer, ask } from '../kit/http/rest.ts'
import { type TestLocalnet, testLocalnet } from '../kit/localnet/localnet.ts'

const EXTENDED_COMMIT = '/fornax.abci.v1.ExtendedCommit'

interface Telemetry {
  readonly cpu: number
  readonly latency_us: number
  readonly connections: number
  readonly net_contrib: string
  readonly height: string
}

describe('on a local network, validators', () => {
  let net: TestLocalnet
  before(async function () {
    this.timeout(300_000)
    const ban = { node: banned, height: '1', reason: 'ByzantineVote', score: 9_000 }
    net = await testLocalnet({
      slotTime: '1s',
      settings: [['agents.telemetry', 'true']],
      appState: { agents: { bans: [{ ...ban, feature_height: '1', first_height: '1', power: '1' }] } },
    })
  })
  after(async function () {
    this.timeout(60_000)
    await net?.remove()
  })

  /** A ban that the chain begins with. */
  const banned = formatAddress(user('mallory').address, VALIDATOR_PREFIX)
  const rest = (node = 0): string => net.info.nodes[node]!.rest
  const telemetryOf = async (operator: string): Promise<Telemetry | null> =>
    (await ask(`${rest()}/fornax/classifier/v1/metrics/${operator}`)).body.metrics

  it('have agent keys from genesis on, each the one in its home', async () => {
    for (const { home, operator_address } of net.info.nodes) {
      const { body } = await ask(`${rest()}/fornax/classifier/v1/agent_keys/${operator_address}`)
      const { current } = readAgentKeys(homeLayout(home).agentKey)
      expect(fromBase64(body.pub_key)).to.deep.equal(current.publicKey)
    }
  })

  it('tell their telemetry, block after block', async () => {
    for (const { operator_address } of net.info.nodes) {
      const first = await eventually(`telemetry of ${operator_address}`, () => telemetryOf(operator_address))
      expect(first.cpu).to.be.within(0, 10_000)
      await eventually('telemetry of all peers', async () => {
        const now = await telemetryOf(operator_address)
        return now!.connections === 3 && now!.latency_us > 0 && BigInt(now!.net_contrib) > 0n
      })
      await eventually('the next ones', async () => {
        const next = await telemetryOf(operator_address)
        return BigInt(next!.height) > BigInt(first.height) + 2n
      })
    }
    const { body } = await ask(net.info.nodes[0]!.metrics)
    expect(body).to.match(/fornax_telemetry_samples_total\{result="taken"\} [1-9]/)
  })

  it('make no transaction of it: of a block nobody sent anything but the extended commit, the same wherever one looks', async () => {
    const { block } = (await ask(`${rest()}/cosmos/base/tendermint/v1beta1/blocks/latest`)).body
    const { height } = block.header
    expect(block.data.txs).to.have.length(1)
    const bytes = fromBase64(block.data.txs[0])
    expect(decodeTxRaw(bytes).body.messages.map(({ typeUrl }) => typeUrl)).to.deep.equal([EXTENDED_COMMIT])
    const hash = toHex(sha256(bytes)).toUpperCase()
    const one = await eventually('the index', async () => {
      const { status, body } = await ask(`${rest()}/cosmos/tx/v1beta1/txs/${hash}`)
      return status === 200 && body
    })
    const [message] = one.tx.body.messages
    expect(message['@type']).to.equal(EXTENDED_COMMIT)
    expect(message.votes).to.have.length(4)
    // A vote that came too late is passed on by nobody.
    const told = message.votes.map((vote: { telemetry: string }) => fromBase64(vote.telemetry).length)
    expect(told.filter((length: number) => length === 18)).to.have.length.within(3, 4)
    expect(one.tx_response).to.include({ txhash: hash, code: 0, height, gas_used: '0' })
    const found = (await ask(`${rest()}/cosmos/tx/v1beta1/txs?query=tx.height%3E1&limit=100`)).body
    expect(found.txs).to.have.length(Math.min(100, Number(found.total)))
    const inBlock = (await ask(`${rest()}/cosmos/tx/v1beta1/txs/block/${height}`)).body
    expect([inBlock.txs.length, inBlock.pagination.total]).to.deep.equal([1, '1'])
  })

  it('show what they are in metrics of their own', async () => {
    const { body } = await ask(net.info.nodes[0]!.metrics)
    expect(body).to.match(/fornax_validator_score\{validator="fornaxvaloper1[^"]+"\} 0/)
    // A busy machine demotes honest validators for Overload: the pool's size is not for this test.
    expect(body).to.match(/fornax_zenith_size [0-4]\n/)
    expect(body).to.match(/fornax_similarity_ratio 1\n/)
  })

  it('sign each ban once, so that the marks verify outside of any node', async () => {
    const url = `${rest(1)}/agents/bans/${banned}`
    const marks = await eventually('the marks of all', async () => {
      const { body } = await ask(url)
      return body.marks.length === 4 && body.marks
    })
    const issuers = marks.map((m: { mark: { issuer: string } }) => m.mark.issuer)
    expect(issuers).to.have.members(net.info.nodes.map((n) => n.operator_address))
    const { stdout } = await promisify(execFile)(process.execPath, ['docs/verify-ban-mark.mjs', url])
    expect(stdout.trim().split('\n')).to.have.members(issuers.map((issuer: string) => `${issuer} valid`))
    const { body } = await ask(net.info.nodes[0]!.metrics)
    expect(body).to.match(/fornax_agent_txs_total\{kind="ban_mark",result="sent"\} 1\n/)
  })

  it('are scored by the model of the chain, the same on every node', async () => {
    for (const { operator_address } of net.info.nodes) {
      const { status, body } = await ask(`${rest(3)}/classifier/predict/${operator_address}`)
      expect(status).to.equal(200)
      expect(body).to.have.all.keys('address', 'confidence', 'height', 'model_hash')
      expect(body.address).to.equal(operator_address)
      expect(body.confidence).to.be.within(0, 1)
      expect(body.height).to.be.greaterThan(5)
      expect(body.model_hash).to.match(/^[0-9a-f]{64}$/)
    }
  })

  describe('over HTTP', () => {
    const WORST = { cpu_pct: 100, latency_ms: 60_000, connections: 0, net_contrib: 0 }
    const BEST = { cpu_pct: 0, latency_ms: 0, connections: 1_000_000, net_contrib: 1_000_000_000 }
    const ODD = { cpu_pct: 0, latency_ms: 60_000, connections: 1_000_000, net_contrib: 0 }
    const telemetry = { cpu_pct: 1.25, latency_ms: 77.5, connections: 5, net_contrib: 0.5 }
    const post = (body: object | string, headers: Record<string, string>, node = 0): Promise<Answer> =>
      ask(`${rest(node)}/agents/metrics`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
    const bodyOf = (node: number, more = {}) => ({ node: operator(node), ...telemetry, ...more })
    const operator = (node: number): string => net.info.nodes[node]!.operator_address
    const outcome = (hash: string, node = 0) =>
      eventually('the submission in a block', async () => {
        const { status, body } = await ask(`${rest(node)}/cosmos/tx/v1beta1/txs/${hash}`)
        return status === 200 && body
      })
    /** A time with which a submission counts: what the validator's own node submits meanwhile is older, and refused. */
    const ahead = (): number => Date.now() + 3_000
    const signed = (node: number, text: string, at = Date.now()) => {
      const { current } = readAgentKeys(homeLayout(net.info.nodes[node]!.home).agentKey)
      const bytes = telemetrySignBytes(net.info.chain_id, BigInt(at), utf8(text))
      return {
        'x-fornax-timestamp': `${at}`,
        'x-fornax-signature': toBase64(signEd25519(current, bytes)),
      }
    }

    it('are taken with a token, and from this machine on a development chain', async () => {
      const bearer = { authorization: `Bearer ${net.info.token}` }
      for (const headers of [bearer, {}] as Record<string, string>[]) {
        const { status, body } = await post(bodyOf(0), headers)
        expect(status, JSON.stringify(body)).to.equal(202)
        expect(body).to.have.all.keys('accepted', 'height')
        await eventually('what was posted, from the vote of the node', async () => {
          for (let height = body.height; height < body.height + 4; height++) {
            const at = { 'x-cosmos-block-height': `${height}` }
            const { metrics } = (
              await ask(`${rest()}/fornax/classifier/v1/metrics/${operator(0)}`, { headers: at })
            ).body
            if (metrics?.latency_us === 77_500 && metrics.height === `${height}`) return true
          }
          return false
        })
      }
      const other = await post(bodyOf(1), bearer)
      expect([other.status, other.body.error.code]).to.deep.equal([403, 'agent_key_not_held'])
    })

    it('are taken by any node with a signature of the agent key, and change what is in state', async () => {
      const text = ` ${JSON.stringify(bodyOf(2))}\n`
      const { status, body } = await post(text, signed(2, text, ahead()), 1)
      expect(status, JSON.stringify(body)).to.equal(202)
      const { tx_response } = await outcome(body.tx_hash, 1)
      expect(tx_response.code, tx_response.raw_log).to.equal(0)
      const headers = { 'x-cosmos-block-height': tx_response.height }
      const url = `${rest(1)}/fornax/classifier/v1/metrics/${operator(2)}`
      const { metrics } = (await ask(url, { headers })).body
      const { latency_us, connections, net_contrib, cpu } = metrics
      expect([latency_us, connections, net_contrib, cpu]).to.deep.equal([77_500, 5, '500', 125])
    })

    it('bring nobody to a Heavy penalty, however they lie, about themselves or about others', async () => {
      const about = (node: number, lie: object): string => JSON.stringify(bodyOf(node, lie))
      const slander = about(1, WORST)
      const { status } = await post(slander, signed(3, slander))
      expect(status).to.equal(401)
      const seen = new Set<string>()
      for (const lie of [WORST, BEST, ODD, WORST]) {
        const text = about(3, lie)
        const { body } = await post(text, signed(3, text, ahead()))
        const { tx_response } = await outcome(body.tx_hash)
        expect(tx_response.code, tx_response.raw_log).to.equal(0)
        const from = Number(tx_response.height)
        await net.reach(from + 3)
        for (let height = from; height < from + 3; height++) {
          const headers = { 'x-cosmos-block-height': `${height}` }
          const { body } = await ask(`${rest()}/fornax/agents/v1/decisions`, { headers })
          for (const { penalty, trigger_ban, reason, score } of body.decisions.decisions) {
            expect({ penalty, trigger_ban }).to.deep.equal({ penalty: 'Moderate', trigger_ban: false })
            expect(score).to.be.below(7_000)
            seen.add(reason)
          }
        }
      }
      expect([...seen]).to.deep.equal(['Overload'])
      const { scores } = (await ask(`${rest()}/fornax/classifier/v1/scores`)).body
      for (const { score } of scores) expect(score).to.be.below(7_000)
      const { validators } = (await ask(`${rest()}/cosmos/staking/v1beta1/validators`)).body
      for (const { jailed } of validators) expect(jailed).to.equal(false)
    }).timeout(150_000)

    it('are refused with a wrong signature, an old one, and in a flood', async () => {
      const text = JSON.stringify(bodyOf(3))
      const wrong = await post(text, signed(2, text))
      expect([wrong.status, wrong.body.error.code]).to.deep.equal([401, 'bad_signature'])
      for (const at of [Date.now() - 3_600_000, Date.now() + 3_600_000]) {
        const stale = await post(text, signed(3, text, at))
        expect([stale.status, stale.body.error.code]).to.deep.equal([422, 'stale_submission'])
      }
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, i) => post(text, signed(3, text, Date.now() + i))),
      )
      const refused = answers.filter(({ status }) => status === 429).map(({ body }) => body.error.code)
      expect(refused).to.include('too_many_agent_txs')
      // One that a later one has overtaken on its way to the mempool is stale.
      const others = answers.filter(({ status }) => status !== 202 && status !== 429)
      for (const { body } of others) expect(body.error.code).to.equal('stale_submission')
    })
  })
})

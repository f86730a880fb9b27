import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'
import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { fromBase64, toBase64, utf8 } from '../../core/bytes.ts'
import { verifyEd25519 } from '../../core/crypto/ed25519.ts'
import { sectionToJson } from '../../core/genesis-section.ts'
import { cometKey, signEd25519 } from '../../daemon/comet/keys.ts'
import { createToken, tokenVerifier } from '../../daemon/tokens.ts'
import { ensureAgentKey } from '../../daemon/validator/agent-key.ts'
import { AgentSigner, agentKeyMessage } from '../../daemon/validator/agent-signer.ts'
import { banMarkSignBytes, banOf } from '../../modules/agents/api.ts'
import { agentsGenesis } from '../../modules/agents/genesis.ts'
import { telemetrySignBytes } from '../../modules/classifier/api.ts'
import { CHAIN_ID, consensusAddress, user } from '../kit/app/chain.ts'
import { type Answer, RestChain } from '../kit/http/rest.ts'
import { tempDir } from '../kit/temp-dir.ts'

const operatorOf = (name: string): string => formatAddress(user(name).address, VALIDATOR_PREFIX)
const BANNED = operatorOf('mallory')
const VALIDATORS = ['validator', 'second']
const votes = VALIDATORS.map((name) => ({ name, power: 100n }))

/** A ban that the chain begins with. */
const ban = {
  node: BANNED,
  height: '7',
  reason: 'ByzantineVote',
  score: 9_876,
  model_hash: toBase64(new Uint8Array(32).fill(5)),
  features: [1, 2, 3],
  feature_height: '7',
  first_height: '1',
  evidence: [toBase64(new Uint8Array(32).fill(6))],
  power: '100',
  marks: [],
}

describe('the agents over REST', () => {
  const dir = tempDir()
  const keyFile = join(dir.path, 'agent_key.json')
  const { current: key } = ensureAgentKey(keyFile)
  const signer = new AgentSigner(keyFile)
  const tokens = join(dir.path, 'tokens.json')
  const credentials = { verifyToken: tokenVerifier(tokens), takesTokens: true }
  const me = operatorOf('validator')
  const body = { node: me, cpu_pct: 12.5, latency_ms: 34, connections: 3, net_contrib: 1.5 }
  let rest: RestChain
  let bearer: { authorization: string }

  before(async () => {
    const agents = { ...sectionToJson(agentsGenesis, agentsGenesis.defaults()), bans: [ban] }
    const chain = { validators: VALIDATORS, appState: { agents } }
    rest = await RestChain.start({}, { signer, credentials, chain })
    const register = agentKeyMessage(key, CHAIN_ID, me)
    const { txResults } = await rest.chain.blockWith(
      { votes },
      rest.chain.sign('validator', { messages: [register] }),
    )
    expect(txResults[0]!.log).to.equal('')
    await rest.chain.blockWith({ votes })
    const { token } = await createToken(tokens, { key: 'alice', scopes: ['classifier'], expires: null })
    bearer = { authorization: `Bearer ${token}` }
  })
  afterEach(() => expect(rest.faults).to.deep.equal([]))
  after(async () => {
    await rest?.stop()
    dir.remove()
  })

  function expectFields(value: object, types: Record<string, string>): void {
    const found = Object.fromEntries(Object.entries(value).map(([name, v]) => [name, typeof v]))
    expect(found).to.deep.equal(types)
  }
  function expectRefusal({ status, body }: Answer, wanted: number, code: string): void {
    expect([status, body.error?.code]).to.deep.equal([wanted, code])
    expect(body.error).to.have.all.keys('code', 'message', 'details')
  }

  it('tell a confidence by operator or account address', async () => {
    const byOperator = await rest.get(`/classifier/predict/${me}`)
    expect(byOperator.status).to.equal(200)
    expect(byOperator.body).to.deep.equal({
      address: me,
      confidence: 0,
      height: rest.chain.store.height,
      model_hash: '',
    })
    expect((await rest.get(`/classifier/predict/${user('validator').text}`)).body).to.deep.equal(
      byOperator.body,
    )
    const banned = await rest.get(`/classifier/predict/${BANNED}`)
    expectRefusal(banned, 404, 'not_on_roster')
    expect(banned.body.error.message).to.equal(
      `${BANNED} is not on the roster: it is banned since height 7; \`fornaxd query agents explain ${BANNED}\` says why`,
    )
    const stranger = await rest.get(`/classifier/predict/${operatorOf('nobody')}`)
    expectRefusal(stranger, 404, 'not_on_roster')
    expect(stranger.body.error.message).to.include('it is no validator of this chain;')
    for (const address of ['x', 'fornaxvaloper1', 'fornaxvalcons1qqqqqq', '%00', me.slice(0, -1)])
      expectRefusal(await rest.get(`/classifier/predict/${address}`), 400, 'invalid_address')
  })

  it('answer decisions, consensus and routing with exactly the documented fields', async () => {
    const decisions = await rest.get('/agents/decisions')
    expect([decisions.status, decisions.body]).to.deep.equal([200, []])
    const consensus = await rest.get('/agents/consensus')
    expectFields(consensus.body, {
      similarity_ratio: 'number',
      failsafe_active: 'boolean',
      zenith_size: 'number',
    })
    expect(consensus.body).to.deep.equal({ similarity_ratio: 1, failsafe_active: false, zenith_size: 2 })
    const routing = await rest.get('/agents/routing')
    expectFields(routing.body, {
      target_pool: 'object',
      estimated_latency_ms: 'number',
      load_score: 'number',
    })
    expectFields(routing.body.target_pool, { id: 'number', label: 'string' })
    expect(routing.body.target_pool).to.deep.equal({ id: 0, label: 'Zenith' })
    expect(routing.body.load_score).to.be.within(0, 1)
  })

  it('answer a decision with exactly the documented fields', async () => {
    const missing = votes.map((vote, i) => ({ ...vote, absent: i === 1 }))
    const proposer = (i: number) => consensusAddress(VALIDATORS[i % 2]!)
    for (let i = 0; i < 24; i++) await rest.chain.blockWith({ votes: missing, proposer: proposer(i) })
    const { body } = await rest.get('/agents/decisions')
    expect(body).to.deep.equal([
      {
        node: operatorOf('second'),
        penalty: 'Moderate',
        trigger_ban: false,
        reason: 'MissedVotes',
        confidence: 0,
      },
    ])
    await rest.chain.blockWith({ votes, proposer: proposer(0) })
    // One of two in good standing is not two thirds.
    expect((await rest.get('/agents/consensus')).body.zenith_size).to.equal(2)
    for (let i = 0; i < 64; i++) await rest.chain.blockWith({ votes, proposer: proposer(i) })
    expect((await rest.get('/agents/decisions')).body).to.deep.equal([])
  })

  it('list bans, a page at a time, and tell each by either address', async () => {
    const { status, body } = await rest.get('/agents/bans')
    expect(status).to.equal(200)
    expect(body.next).to.equal(null)
    expect(body.bans).to.have.length(1)
    expect(body.bans[0]).to.deep.include({
      node: BANNED,
      height: 7,
      reason: 'ByzantineVote',
      score: 9876,
      model_hash: '05'.repeat(32),
      evidence: ['06'.repeat(32)],
      power: '100',
      marks: [],
    })
    expect((await rest.get(`/agents/bans/${BANNED}`)).body).to.deep.equal(body.bans[0])
    expect((await rest.get(`/agents/bans/${user('mallory').text}`)).body).to.deep.equal(body.bans[0])
    expect((await rest.get(`/agents/bans?after=${BANNED}`)).body).to.deep.equal({ bans: [], next: null })
    expectRefusal(await rest.get(`/agents/bans/${me}`), 404, 'not_banned')
    expectRefusal(await rest.get('/agents/bans/x'), 400, 'invalid_address')
    expectRefusal(await rest.get('/agents/bans?after=x'), 400, 'invalid_address')
    for (const query of ['limit=0', 'limit=101', 'limit=-1', 'limit=1e1', 'x=1', 'limit=1&limit=2'])
      expectRefusal(await rest.get(`/agents/bans?${query}`), 400, 'invalid_parameter')
  })

  it('show marks that verify outside of the node', async () => {
    const ctx = rest.chain.state.view('committed')
    const tx = signer.submitBanMark(ctx, signer.agent(ctx)!, banOf(ctx, user('mallory').address)!)
    const { txResults } = await rest.chain.blockWith({ votes }, tx)
    expect(txResults[0]!.log).to.equal('')
    const { marks } = (await rest.get(`/agents/bans/${BANNED}`)).body
    expect(marks).to.have.length(1)
    const { mark, pub_key, signature } = marks[0]
    expect(mark).to.deep.equal({
      chain_id: CHAIN_ID,
      node: BANNED,
      height: 7,
      reason: 'ByzantineVote',
      score: 9876,
      model_hash: '05'.repeat(32),
      issuer: me,
    })
    expect(fromBase64(pub_key)).to.deep.equal(key.publicKey)
    const { marks: stored } = banOf(rest.chain.state.view('committed'), user('mallory').address)!
    const signed = banMarkSignBytes(stored[0]!.mark)
    expect(verifyEd25519(key.publicKey, signed, fromBase64(signature))).to.equal(true)

    const verify = (url: string): Promise<[unknown, string]> =>
      new Promise((resolve) =>
        execFile(process.execPath, ['docs/verify-ban-mark.mjs', url], (error, stdout) =>
          resolve([error?.code ?? 0, stdout]),
        ),
      )
    expect(await verify(`${rest.server.url}/agents/bans/${BANNED}`)).to.deep.equal([0, `${me} valid\n`])
    const refused = async (...args: string[]) =>
      new Promise((resolve) =>
        execFile(process.execPath, ['docs/verify-ban-mark.mjs', ...args], (error, stdout, stderr) =>
          resolve([error?.code, stdout, stderr]),
        ),
      )
    for (const [args, why] of [
      [[], 'give the URL of a ban: http://127.0.0.1:1317/agents/bans/fornaxvaloper1…'],
      [[BANNED], 'give the URL of a ban: http://127.0.0.1:1317/agents/bans/fornaxvaloper1…'],
      [[`${rest.server.url}/agents/bans/${me}`], `${me} is not banned`],
      [['data:application/json,null'], 'the answer is no ban'],
    ] as const)
      expect(await refused(...args)).to.deep.equal([2, '', `Nothing to verify: ${why}\n`])
    const bad = await refused(`${rest.server.url}/agents/bans/x`)
    expect(String(bad)).to.match(/^2,,Nothing to verify: [^\n]+\n$/)
    const forged = JSON.stringify({ marks: [{ ...marks[0], mark: { ...mark, score: 1 } }] })
    expect(await verify(`data:application/json,${encodeURIComponent(forged)}`)).to.deep.equal([
      1,
      `${me} INVALID\n`,
    ])
  })

  const post = (value: unknown, headers: Record<string, string> = {}) =>
    rest.post('/agents/metrics', value, headers)

  it('take telemetry only with a credential that covers them', async () => {
    const passed = await post(body, bearer)
    expectRefusal(passed, 503, 'node_unavailable')
    const none = await post(body)
    expectRefusal(none, 401, 'unauthorized')
    expect(none.headers.get('www-authenticate')).to.equal('Bearer')
    for (const authorization of ['Bearer x', 'Basic YTpi', 'Bearer', `${bearer.authorization}x`])
      expectRefusal(await post(body, { authorization }), 401, 'invalid_token')
    const other = await createToken(tokens, { key: 'alice', scopes: ['bank'], expires: null })
    expectRefusal(await post(body, { authorization: `Bearer ${other.token}` }), 403, 'out_of_scope')
    const expired = await createToken(tokens, { key: 'alice', scopes: ['*'], expires: Date.now() - 1 })
    expectRefusal(await post(body, { authorization: `Bearer ${expired.token}` }), 401, 'invalid_token')
    expectRefusal(await post({ ...body, node: operatorOf('second') }, bearer), 404, 'no_agent_key')
    expectRefusal(await post({ ...body, node: BANNED }, bearer), 404, 'unknown_validator')
    expectRefusal(await post({ ...body, node: 'x' }, bearer), 400, 'invalid_address')
  })

  it('refuse telemetry that is none', async () => {
    const without = (name: string) => Object.fromEntries(Object.entries(body).filter(([n]) => n !== name))
    for (const name of Object.keys(body))
      expectRefusal(await post(without(name), bearer), 400, 'invalid_body')
    for (const [name, value] of [
      ['cpu_pct', 100.01],
      ['cpu_pct', -1],
      ['cpu_pct', '1'],
      ['cpu_pct', null],
      ['latency_ms', 60_001],
      ['connections', 1.5],
      ['connections', 1_000_001],
      ['net_contrib', 1_000_000_001],
      ['net_contrib', [1]],
      ['node', 1],
      ['extra', 1],
    ] as const)
      expectRefusal(await post({ ...body, [name]: value }, bearer), 400, 'invalid_body')
    const text = JSON.stringify(body)
    for (const number of ['NaN', 'Infinity', '1e400', '-1e400', '0x1', '1.', '1e309'])
      expectRefusal(await post(text.replace('12.5', number), bearer), 400, 'invalid_body')
    for (const odd of ['', '[]', 'null', '{', '{"__proto__":{}}', `[${text}]`])
      expectRefusal(await post(odd, bearer), 400, 'invalid_body')
    expectRefusal(await post(text + ' '.repeat(65_536), bearer), 413, 'body_too_large')
    expectRefusal(
      await post(text, { ...bearer, 'content-type': 'text/plain' }),
      415,
      'unsupported_media_type',
    )
  })

  it('take a detached signature of the agent key over the exact body, and no other', async () => {
    const signed = (value: unknown, { at = Date.now(), by = key, chain = CHAIN_ID } = {}) => ({
      'x-fornax-timestamp': `${at}`,
      'x-fornax-signature': toBase64(
        signEd25519(
          by,
          telemetrySignBytes(
            chain,
            BigInt(at),
            utf8(typeof value === 'string' ? value : JSON.stringify(value)),
          ),
        ),
      ),
    })
    expectRefusal(await post(body, signed(body)), 503, 'node_unavailable')
    const loose = `\n ${JSON.stringify(body, null, 3)}`
    expectRefusal(await post(loose, signed(loose)), 503, 'node_unavailable')
    expectRefusal(await post(loose, signed(body)), 401, 'bad_signature')
    expectRefusal(await post(body, signed(body, { by: cometKey() })), 401, 'bad_signature')
    expectRefusal(await post(body, signed(body, { chain: 'fornax-8' })), 401, 'bad_signature')
    const headers = signed(body)
    const moved = { ...headers, 'x-fornax-timestamp': `${Number(headers['x-fornax-timestamp']) + 1}` }
    expectRefusal(await post(body, moved), 401, 'bad_signature')
    // A token beside a wrong signature does not make it right.
    expectRefusal(await post(body, { ...moved, ...bearer }), 401, 'bad_signature')
    for (const odd of [
      { 'x-fornax-timestamp': headers['x-fornax-timestamp'] },
      { 'x-fornax-signature': headers['x-fornax-signature'] },
      { ...headers, 'x-fornax-signature': 'AAAA' },
      { ...headers, 'x-fornax-signature': '!' },
      { ...headers, 'x-fornax-timestamp': '-1' },
      { ...headers, 'x-fornax-timestamp': '1e3' },
      { ...headers, 'x-fornax-timestamp': '9'.repeat(16) },
    ])
      expectRefusal(await post(body, odd as Record<string, string>), 400, 'invalid_header')
    const other = { ...body, node: operatorOf('second') }
    expectRefusal(await post(other, signed(other)), 404, 'no_agent_key')
    const marked = `\ufeff${JSON.stringify(body)}`
    expectRefusal(await post(marked, signed(marked)), 400, 'invalid_body')
    const long = `${JSON.stringify(body)}${' '.repeat(1024)}`
    expectRefusal(await post(long, signed(long)), 413, 'body_too_large')
  })
})

describe('the agents over REST, on a node', () => {
  const dir = tempDir()
  const node = user('validator').text
  const body = { node, cpu_pct: 1, latency_ms: 1, connections: 1, net_contrib: 1 }
  let rest: RestChain
  afterEach(() => rest.stop())
  after(() => dir.remove())

  it('that is halted, take no telemetry and show the fail-safe', async () => {
    rest = await RestChain.start()
    rest.chain.state.halt = { ...rest.chain.state.halt, height: 1 }
    const { status, body: refusal } = await rest.post('/agents/metrics', body)
    expect([status, refusal.error.code]).to.deep.equal([503, 'halted'])
    expect((await rest.get('/agents/consensus')).body.failsafe_active).to.equal(true)
  })

  it('whose address others reach, take no tokens', async () => {
    const tokens = join(dir.path, 'tokens.json')
    const { token } = await createToken(tokens, { key: 'alice', scopes: ['*'], expires: null })
    const credentials = { verifyToken: tokenVerifier(tokens), takesTokens: false }
    rest = await RestChain.start({}, { credentials })
    const { status, body: refusal } = await rest.post('/agents/metrics', body, {
      authorization: `Bearer ${token}`,
    })
    expect([status, refusal.error.code]).to.deep.equal([403, 'tokens_refused'])
  })

  it('of a development chain, take callers on this machine without a token, but no web page or proxy', async () => {
    const credentials = { verifyToken: () => undefined, takesTokens: true, loopbackKey: 'alice' }
    rest = await RestChain.start({}, { credentials })
    const code = async (headers: Record<string, string>): Promise<string> =>
      (await rest.post('/agents/metrics', body, headers)).body.error.code
    expect(await code({})).to.equal('no_agent_key')
    expect(await code({ origin: 'http://127.0.0.1' })).to.equal('unauthorized')
    expect(await code({ 'x-forwarded-for': '10.0.0.1' })).to.equal('unauthorized')
    expect(await code({ authorization: 'Bearer x' })).to.equal('invalid_token')
  })
})

import { connect } from 'node:net'
import { expect } from 'chai'
import { toBase64 } from '../../core/bytes.ts'
import { signerlessTx } from '../../core/tx/build.ts'
import { RestChain } from '../kit/http/rest.ts'

const BALANCES = '/cosmos/bank/v1beta1/balances'

describe('REST refuses', () => {
  let rest: RestChain
  let alice: string
  before(async () => {
    rest = await RestChain.start()
    alice = rest.chain.user('alice').text
  })
  afterEach(() => expect(rest.faults).to.deep.equal([]))
  after(() => rest.stop())

  async function refused(
    path: string,
    status: number,
    code: string,
    headers: Record<string, string> = {},
  ): Promise<void> {
    const answer = await rest.get(path, headers)
    expect([answer.status, answer.body.error?.code], path.slice(0, 100)).to.deep.equal([status, code])
    expect(answer.body.error).to.have.all.keys('code', 'message', 'details')
    const isSdk = /^\/(cosmos|ibc)/.test(path)
    expect(answer.body).to.have.all.keys(isSdk ? ['error', 'code', 'message', 'details'] : ['error'])
    if (isSdk) expect(answer.body).to.deep.include({ message: answer.body.error.message, details: [] })
    expect(JSON.stringify(answer.body)).not.to.match(/node:|node_modules|\.[jt]s:\d/)
    expect(answer.headers.get('x-fornax-api-version')).to.equal('1')
  }

  it('addresses that are none', async () => {
    for (const address of [
      'x',
      'fornax1',
      'cosmos1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu',
      '%00',
      '%F0%9F%92%A9',
    ])
      await refused(`${BALANCES}/${address}`, 400, 'invalid_address')
    await refused(`${BALANCES}/${'q'.repeat(1000)}`, 400, 'invalid_address')
    await refused(`${BALANCES}/${'q'.repeat(2000)}`, 414, 'url_too_long')
    await refused(`${BALANCES}/%`, 400, 'invalid_url')
  })

  it('bodies that are longer than the route takes, with what that is', async () => {
    for (const [path, limit, text] of [
      ['/cosmos/tx/v1beta1/simulate', 1_572_864, '1,572,864'],
      ['/cosmos/tx/v1beta1/decode', 1_572_864, '1,572,864'],
      ['/broadcast_tx', 65_536, '65,536'],
    ] as const) {
      const { status, body } = await rest.post(path, ' '.repeat(limit + 1))
      expect([status, body.error.code]).to.deep.equal([413, 'body_too_large'])
      expect(body.error.message).to.equal(`the body is longer than ${text} bytes`)
    }
  })

  it('routes that are none, and methods that a route does not take', async () => {
    for (const path of ['/nothing', '/cosmos', '/cosmos/bank', '/health/x', '/docs/../etc'])
      await refused(path, 404, 'unknown_route')
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const response = await fetch(`${rest.server.url}/health`, { method, body: '{' })
      expect(response.status).to.equal(405)
      expect(response.headers.get('allow')).to.equal('GET, HEAD')
      expect(((await response.json()) as { error: { code: string } }).error.code).to.equal(
        'method_not_allowed',
      )
    }
    const get = await rest.get('/broadcast_tx')
    expect([get.status, get.headers.get('allow')]).to.deep.equal([405, 'POST'])
    await refused('/faucet', 404, 'unknown_route')
  })

  it('heights that are none or not there', async () => {
    const path = `${BALANCES}/${alice}`
    for (const height of ['-1', 'x', '1.5', '0x1', '1e3', '9'.repeat(16), '1, 1'])
      await refused(path, 400, 'invalid_height', { 'x-cosmos-block-height': height })
    for (const height of ['999999', '9'.repeat(15)])
      await refused(path, 404, 'invalid_height', { 'x-cosmos-block-height': height })
  })

  it('parameters that are unknown, doubled or of another form', async () => {
    const path = `${BALANCES}/${alice}`
    for (const query of [
      'pagination=1',
      'pagination.limit.x=1',
      'pagination.limit=1&pagination.limit=2',
      'resolve_denom=maybe',
      'pagination.limit=-1',
      'pagination.limit=x',
      'pagination.limit=1.5',
      'pagination.limit=NaN',
      'pagination.limit=',
      `pagination.limit=${2n ** 64n}`,
    ])
      await refused(`${path}?${query}`, 400, 'invalid_parameter')
    expect((await rest.get(`${path}?pagination.limit=x`)).body).to.include({
      code: 3,
      message: 'pagination.limit: expected a whole number from 0 to 18446744073709551615, not "x"',
    })
    expect((await rest.get('/cosmos/gov/v1/proposals/x')).body.message).to.match(
      /^proposal_id: expected a whole number .*, not "x"$/,
    )
    for (const query of ['x=1', 'pagination.x=1', '__proto__=1', 'constructor.prototype=1'])
      await refused(`/fornax/classifier/v1/params?${query}`, 400, 'invalid_parameter')
    await refused(`${path}?pagination.key=***`, 400, 'json_unmarshal')
    await refused(`${path}?pagination.key=AA%3D%3D&pagination.offset=1`, 400, 'invalid_request')
    await refused(`${path}?pagination.offset=${2n ** 63n}`, 400, 'invalid_request')
    const many = Array.from({ length: 300 }, (_, i) => `d${i}=`).join('&')
    await refused(`/fornax/classifier/v1/params?${many}`, 400, 'invalid_parameter')
    await refused(`/cosmos/bank/v1beta1/supply/by_denom?denom=%00`, 400, 'invalid_request')
    await refused('/health?x=1', 400, 'invalid_parameter')
    expect((await rest.get(`${path}?pagination.limit=${2n ** 64n - 1n}`)).status).to.equal(200)
    expect((await rest.get(`${path}?pagination.key=%ff%fe`)).status).to.equal(400)
  })

  it('bodies that are malformed, of another type, too long or hold what is unknown', async () => {
    const path = '/broadcast_tx'
    const expectAll = async (bodies: unknown[], status: number, code: string): Promise<void> => {
      for (const body of bodies) {
        const answer = await rest.post(path, body)
        expect(
          [answer.status, answer.body.error?.code],
          String(JSON.stringify(body)).slice(0, 80),
        ).to.deep.equal([status, code])
      }
    }
    await expectAll(
      ['{', 'x', '', '[}', '{"tx_bytes":"AAAA"', '\u0000', 'NaN', '{"tx_bytes":NaN}'],
      400,
      'invalid_body',
    )
    await expectAll(
      [
        [],
        null,
        1,
        'null',
        {},
        { tx_bytes: 1 },
        { tx_bytes: null },
        { tx_bytes: '' },
        { tx_bytes: ['AAAA'] },
      ],
      400,
      'invalid_body',
    )
    await expectAll([{ tx_bytes: 'AAAA', more: 1 }, { TX_BYTES: 'AAAA' }], 400, 'invalid_body')
    await expectAll([{ tx_bytes: '!!!!' }, { tx_bytes: 'AAAAA' }], 400, 'invalid_body')
    await expectAll(
      ['{"__proto__":{"tx_bytes":"AAAA"}}', '{"constructor":{"prototype":1}}'],
      400,
      'invalid_body',
    )
    await expectAll([{ tx_bytes: 'A'.repeat(70_000) }, ' '.repeat(70_000)], 413, 'body_too_large')
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
      const answer = await rest.post(path, '{"tx_bytes":"AAAA"}', { 'content-type': type })
      expect([answer.status, answer.body.error.code]).to.deep.equal([415, 'unsupported_media_type'])
    }
    const text = (name: string) => ({ 'content-type': `application/json; charset=${name}` })
    expect((await rest.post(path, '{"tx_bytes":"AAAA"}', text('utf-16'))).status).to.equal(415)
    expect((await rest.post(path, '{"tx_bytes":"AAAA"}', text('utf-8'))).status).to.equal(503)
    for (const route of [path, '/cosmos/tx/v1beta1/decode'])
      expect((await rest.post(route, '{"tx_bytes":"AAAA","tx_bytes":"BBBB"}')).body.error).to.include({
        code: 'invalid_body',
        message: 'the body has "tx_bytes" twice',
      })
    const twice = await rest.post(`${path}?wait=commit&wait=commit`, { tx_bytes: 'AAAA' })
    expect(twice.status).to.equal(400)
    expect((await rest.post(`${path}?wait=block`, { tx_bytes: 'AAAA' })).status).to.equal(400)
  })

  it('nesting without end, in bodies and in transactions', async () => {
    const deep = (open: string, close: string): string => open.repeat(5000) + close.repeat(5000)
    const bodies = [
      deep('[', ']'),
      deep('{"a":', '}').replace(':}', ':1}'),
      `{"tx":{"body":{"messages":[${'{"@type":"/cosmos.tx.v1beta1.TxBody","messages":['.repeat(300)}${']}'.repeat(300)}]}}}`,
    ]
    for (const body of bodies)
      for (const path of ['/cosmos/tx/v1beta1/simulate', '/cosmos/tx/v1beta1/encode', '/broadcast_tx']) {
        const answer = await rest.post(path, body)
        expect(answer.status, path).to.equal(400)
      }
    let nested: Uint8Array = new Uint8Array(0)
    for (let i = 0; i < 2000; i++) nested = new Uint8Array([10, ...lengthOf(nested.length), ...nested])
    for (const route of ['simulate', 'decode'])
      expect(
        (await rest.post(`/cosmos/tx/v1beta1/${route}`, { tx_bytes: toBase64(nested) })).status,
      ).to.be.within(400, 422)
  })

  it('a transaction of half a million empty fields to decode, which would hold the node for seconds', async () => {
    const votes = Buffer.alloc(1_000_000, Uint8Array.of(0x1a, 0))
    const tx = signerlessTx({ typeUrl: '/fornax.abci.v1.ExtendedCommit', value: votes }, 0n)
    const { status, body } = await rest.post('/cosmos/tx/v1beta1/decode', { tx_bytes: toBase64(tx) })
    expect([status, body.code, body.error.code]).to.deep.equal([413, 11, 'tx_too_large'])
  })

  it('values of the wrong kind in requests of the SDK', async () => {
    for (const body of [
      { tx_bytes: 5 },
      { tx_bytes: '***' },
      { mode: 99 },
      { mode: 'NONE' },
      { unknown: 1 },
      '{"mode":1e999}',
      [],
      'null',
      '"text"',
    ])
      expect((await rest.post('/cosmos/tx/v1beta1/txs', body)).status, JSON.stringify(body)).to.equal(400)
    const empty = await rest.post('/cosmos/tx/v1beta1/simulate', {})
    expect([empty.status, empty.body.error.code]).to.deep.equal([400, 'invalid_request'])
  })

  it('what is no HTTP, and headers without end', async () => {
    const url = new URL(rest.server.url)
    const say = (text: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connect(Number(url.port), url.hostname, () => socket.write(text))
        let heard = ''
        socket.on('data', (data) => {
          heard += String(data)
        })
        socket.on('close', () => resolve(heard))
        socket.on('error', reject)
      })
    const close = 'Connection: close\r\n\r\n'
    const status = async (text: string): Promise<string | undefined> =>
      /^HTTP\/1\.1 (\d+)/.exec(await say(text))?.[1]
    expect(await status('hello\r\n\r\n')).to.equal('400')
    expect(await status(`GET /health HTTP/1.1\r\nX: a\rSet-Cookie: b\r\nHost: x\r\n${close}`)).to.equal('400')
    expect(await status(`GET /health HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n${close}`)).to.equal(
      '431',
    )
    expect(await status(`GET /${'a'.repeat(6000)} HTTP/1.1\r\nHost: x\r\n${close}`)).to.equal('414')
    expect(
      await status(
        `POST /broadcast_tx HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n${close}`,
      ),
    ).to.equal('400')
    const injected = await say(
      `GET /cosmos/bank/v1beta1/balances/a%0d%0aX-Evil:%201 HTTP/1.1\r\nHost: x\r\n${close}`,
    )
    expect(injected).to.match(/^HTTP\/1\.1 400/)
    expect(injected).not.to.match(/^x-evil/im)
    const envelope = async (text: string, code: string): Promise<void> => {
      const answer = await say(text)
      expect(answer.toLowerCase(), text).to.contain('x-fornax-api-version: 1').and.contain('application/json')
      const { error } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
      expect(error, text).to.include({ code }).and.have.all.keys('code', 'message', 'details')
    }
    await envelope(`GET /health HTTP/1.1\r\n${close}`, 'invalid_host')
    await envelope(`OPTIONS /health HTTP/1.1\r\nHost: x\r\n${close}`, 'method_not_allowed')
    await envelope(`OPTIONS * HTTP/1.1\r\nHost: x\r\n${close}`, 'method_not_allowed')
    await envelope(`PROPFIND /health HTTP/1.1\r\nHost: x\r\n${close}`, 'unknown_route')
    await envelope(`BREW /health HTTP/1.1\r\nHost: x\r\n${close}`, 'malformed_request')
    await envelope(`CONNECT x:1 HTTP/1.1\r\nHost: x\r\n${close}`, 'method_not_allowed')
    await envelope(`GET /health HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n${close}`, 'expectation_failed')
    await envelope(`GET /health HTTP/9.9\r\nHost: x\r\n${close}`, 'malformed_request')
    expect(await status(`GET /health HTTP/1.0\r\n${close}`)).to.equal('200')
    const heard = await say('hello\r\n\r\n')
    expect(heard.toLowerCase()).to.contain('x-fornax-api-version: 1')
    expect(JSON.parse(heard.slice(heard.indexOf('\r\n\r\n')))).to.deep.equal({
      error: { code: 'malformed_request', message: 'bad request', details: {} },
    })
  })
})

describe('a REST server', () => {
  let rest: RestChain
  afterEach(() => rest.stop())

  it('refuses a query that reads too much and says how to ask for less', async () => {
    rest = await RestChain.start({ queryGas: 900n })
    const dear = await rest.get('/cosmos/staking/v1beta1/params')
    expect([dear.status, dear.body.error?.code]).to.deep.equal([422, 'query_too_expensive'])
  })

  it('ends a page where half of a query’s gas is spent, and says where the next begins', async () => {
    rest = await RestChain.start({ queryGas: 20_000n })
    const all = await rest.get('/cosmos/auth/v1beta1/accounts')
    expect(all.status).to.equal(200)
    expect(all.body.accounts).to.have.length.within(1, 9)
    expect(all.body.pagination.next_key).to.be.a('string')
  })

  it('of a halted node is alive but not ready', async () => {
    rest = await RestChain.start()
    rest.chain.state.halt = { ...rest.chain.state.halt, height: 1 }
    expect((await rest.get('/health')).status).to.equal(200)
    const ready = await rest.get('/ready')
    expect([ready.status, ready.body.error.code]).to.deep.equal([503, 'halted'])
  })
})

/** A varint. */
function lengthOf(n: number): number[] {
  return n < 128 ? [n] : [(n & 127) | 128, ...lengthOf(Math.floor(n / 128))]
}

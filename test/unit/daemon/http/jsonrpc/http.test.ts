import { connect } from 'node:net'
import { expect } from 'chai'
import { method } from '../../../../../daemon/http/jsonrpc/method.ts'
import { eventually } from '../../../../kit/eventually.ts'
import { JsonRpcService } from '../../../../kit/http/json-rpc.ts'
import { ask } from '../../../../kit/http/rest.ts'

const CALL = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
const CLOSE = 'Connection: close\r\n\r\n'

/** Everything that a server says on a connection. */
function say(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let heard = ''
    socket.on('data', (data) => {
      heard += String(data)
    })
    socket.on('close', () => resolve(heard))
    socket.on('error', reject)
  })
}

describe('The HTTP of JSON-RPC', () => {
  let service: JsonRpcService
  before(async () => {
    service = await JsonRpcService.start(
      { maxBodyBytes: 2000, requestTimeoutMs: 300, vhosts: ['localhost', 'Node.Example.org'] },
      { methods: { test_long: method([], () => 'a'.repeat(100_000)) } },
    )
  })
  afterEach(() => expect(service.faults).to.deep.equal([]))
  after(() => service.stop())

  const post = (headers: string): string =>
    `POST / HTTP/1.1\r\n${headers}Content-Length: ${CALL.length}\r\n${CLOSE}${CALL}`
  const status = async (text: string): Promise<string | undefined> =>
    /^HTTP\/1\.1 (\d+)/.exec(await say(service.port, text))?.[1]
  const json = 'Content-Type: application/json\r\n'

  /** The answer is an error of JSON-RPC, and tells nothing of the runtime. */
  function expectFault(heard: string, code: number): void {
    const body = JSON.parse(heard.slice(heard.indexOf('\r\n\r\n')))
    expect(body).to.have.all.keys('jsonrpc', 'id', 'error')
    expect(body).to.deep.include({ jsonrpc: '2.0', id: null })
    expect(body.error.code, heard).to.equal(code)
    expect(body.error.message)
      .to.be.a('string')
      .and.not.match(/node_modules|\.[jt]s:\d/)
  }

  it('says what it is to whoever looks', async () => {
    const { status, body, headers } = await ask(service.server.url)
    expect(status).to.equal(200)
    expect(body).to.include({
      service: 'Ethereum JSON-RPC 2.0',
      chain_id: 7373,
      client: 'Fornax/v0.0.0/test',
    })
    expect(headers.get('x-content-type-options')).to.equal('nosniff')
    expect((await service.post(body.example)).body.result).to.equal('0x1ccd')
  })

  it('takes the types of content that clients send, and none that a web page can send unasked', async () => {
    const types = ['application/json', 'application/json; charset=utf-8', 'Application/JSON']
    for (const type of [...types, 'application/json-rpc', 'application/jsonrequest'])
      expect((await service.post(CALL, { 'content-type': type })).body.result, type).to.equal('0x1ccd')
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/jsonx',
    ])
      expect((await service.post(CALL, { 'content-type': type })).status, type).to.equal(415)
    expect(
      (await service.post(CALL, { 'content-type': 'application/json; charset=utf-16' })).status,
    ).to.equal(415)
    const absent = await say(service.port, post('Host: localhost\r\n'))
    expect(absent).to.match(/^HTTP\/1\.1 415/)
    expectFault(absent, -32600)
  })

  it('refuses other methods, paths and bodies that are too long', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const { status, headers } = await ask(service.server.url, { method, body: CALL })
      expect([status, headers.get('allow')]).to.deep.equal([405, 'GET, HEAD, POST'])
    }
    const other = await ask(`${service.server.url}/eth`, { method: 'POST', body: CALL })
    expect([other.status, other.body.error.message]).to.deep.equal([404, 'JSON-RPC is at /'])
    const long = await service.post(`"${'a'.repeat(2000)}"`)
    expect([long.status, long.body.error.message]).to.deep.equal([413, 'the body is longer than 2,000 bytes'])
    expect((await service.post(`${CALL}${' '.repeat(2000 - CALL.length)}`)).body.result).to.equal('0x1ccd')
  })

  it('answers under names that it goes by and under addresses, and under no other', async () => {
    const known = [
      'localhost',
      'localhost:1',
      'LOCALHOST',
      '127.0.0.1',
      '10.1.2.3:80',
      '[::1]:8545',
      'node.example.org',
    ]
    for (const host of known) expect(await status(post(`Host: ${host}\r\n${json}`)), host).to.equal('200')
    const unknown = [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'localhost@evil',
      '[evil]',
      '1.2.3',
      '',
    ]
    for (const host of unknown) {
      const heard = await say(service.port, post(`Host: ${host}\r\n${json}`))
      expect(heard, host).to.match(/^HTTP\/1\.1 403/)
      expectFault(heard, -32600)
    }
    expect(await status(`GET / HTTP/1.1\r\nHost: evil.example\r\n${CLOSE}`)).to.equal('403')
    const open = await JsonRpcService.start({ vhosts: ['*'] })
    expect(await say(open.port, post(`Host: evil.example\r\n${json}`))).to.match(/^HTTP\/1\.1 200/)
    await open.stop()
  })

  it('lets pages of allowed origins read, and no others', async () => {
    const origin = { origin: 'https://app.example' }
    const preflight = {
      method: 'OPTIONS',
      headers: {
        ...origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    }
    const allow = 'access-control-allow-origin'
    expect((await service.post(CALL, origin)).headers.get(allow)).to.equal(null)
    expect((await ask(service.server.url, preflight)).headers.get(allow)).to.equal(null)
    const one = await JsonRpcService.start({ corsOrigins: ['https://app.example'] })
    expect((await one.post(CALL, origin)).headers.get(allow)).to.equal('https://app.example')
    const allowed = await ask(one.server.url, preflight)
    expect([allowed.status, allowed.headers.get(allow)]).to.deep.equal([204, 'https://app.example'])
    expect(allowed.headers.get('access-control-allow-headers')).to.equal('content-type')
    expect((await one.post(CALL, { origin: 'https://evil.example' })).headers.get(allow)).to.equal(null)
    await one.stop()
    const all = await JsonRpcService.start({ corsOrigins: ['*'] })
    expect((await all.post(CALL, origin)).headers.get(allow)).to.equal('*')
    await all.stop()
  })

  it('compresses long answers, and inflates no request', async () => {
    const { headers, body } = await service.post('{"jsonrpc":"2.0","id":1,"method":"test_long"}')
    expect(headers.get('content-encoding')).to.be.oneOf(['br', 'gzip'])
    expect(body.result).to.have.length(100_000)
    const squeezed = await service.post(CALL, { 'content-encoding': 'gzip' })
    expect(squeezed.body.result).to.equal('0x1ccd')
  })

  it('answers clients that offer HTTP/2, as curl --http2 and Java do', async () => {
    const offer =
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n'
    const length = `Content-Length: ${CALL.length}\r\n\r\n`
    const heard = await new Promise<string>((resolve, reject) => {
      let all = ''
      const socket = connect(service.port, '127.0.0.1', () =>
        socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${json}${offer}${length}${CALL}`),
      )
      socket.once('data', () => socket.write(post(`Host: localhost\r\n${json}`)))
      socket.on('data', (data) => {
        all += String(data)
      })
      socket.on('close', () => resolve(all))
      socket.on('error', reject)
    })
    expect(heard.match(/HTTP\/1\.1 200/g), heard).to.have.length(2)
    expect(heard.match(/"result":"0x1ccd"/g)).to.have.length(2)
  })

  it('closes connections that do not end their requests', async () => {
    const loris = async (text: string): Promise<string> => {
      let drip: NodeJS.Timeout | undefined
      const heard = await new Promise<string>((resolve) => {
        let all = ''
        const socket = connect(service.port, '127.0.0.1', () => {
          socket.write(text)
          drip = setInterval(() => socket.writable && socket.write('X'), 20)
        })
        socket.on('data', (data) => {
          all += String(data)
        })
        socket.on('error', () => {})
        socket.on('close', () => resolve(all))
      })
      clearInterval(drip)
      return heard
    }
    const [headers, body] = await Promise.all([
      loris('POST / HTTP/1.1\r\nHost: localhost\r\nX-Slow: '),
      loris(`POST / HTTP/1.1\r\nHost: localhost\r\n${json}Content-Length: 1900\r\n\r\n{`),
    ])
    for (const heard of [headers!, body!]) {
      expect(heard).to.match(/^HTTP\/1\.1 408/)
      expectFault(heard, -32600)
    }
  })

  it('closes connections that take no answer', async () => {
    const answer = 'a'.repeat(10_000_000)
    const own = await JsonRpcService.start(
      { timeoutMs: 200, idleTimeoutMs: 100, maxAnswerBytes: 20_000_000 },
      { methods: { test_long: method([], () => answer) } },
    )
    const call = '{"jsonrpc":"2.0","id":1,"method":"test_long"}'
    const length = `Content-Length: ${call.length}\r\n\r\n`
    const socket = connect(own.port, '127.0.0.1', () =>
      socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${json}${length}${call}`),
    )
    let heard = 0
    socket.on('data', (data) => {
      heard += data.length
      socket.pause()
    })
    socket.on('error', () => {})
    await eventually('the first bytes', () => heard > 0)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    socket.resume()
    socket.on('data', () => socket.resume())
    await eventually('the end', () => socket.closed)
    expect(heard).to.be.within(1, answer.length - 1)
    expect((await own.call('net_version')).result).to.equal('7373')
    await own.stop()
  })

  it('answers what is no HTTP', async () => {
    const cases = [
      ['hello\r\n\r\n', '400'],
      [`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n${CLOSE}`, '400'],
      [`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(20_000)}\r\n${CLOSE}`, '431'],
      [`GET /${'a'.repeat(6000)} HTTP/1.1\r\nHost: localhost\r\n${CLOSE}`, '414'],
      [`GET / HTTP/1.1\r\n${CLOSE}`, '400'],
      [`CONNECT x:1 HTTP/1.1\r\nHost: x\r\n${CLOSE}`, '405'],
      [`OPTIONS / HTTP/1.1\r\nHost: localhost\r\n${CLOSE}`, '405'],
      [`GET / HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\n${CLOSE}`, '417'],
    ] as const
    for (const [text, status] of cases) {
      const heard = await say(service.port, text)
      expect(heard.slice(0, 12)).to.equal(`HTTP/1.1 ${status}`)
      expectFault(heard, -32600)
    }
  })
})

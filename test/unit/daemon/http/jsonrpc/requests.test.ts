import { expect } from 'chai'
import { ChainError } from '../../../../../core/error.ts'
import { RpcUnavailable } from '../../../../../daemon/client/rpc.ts'
import { JsonRpcError } from '../../../../../daemon/http/jsonrpc/errors.ts'
import { type Methods, method } from '../../../../../daemon/http/jsonrpc/method.ts'
import { quantity, text } from '../../../../../daemon/http/jsonrpc/params.ts'
import { TooManyReads } from '../../../../../daemon/read-queue.ts'
import { eventually } from '../../../../kit/eventually.ts'
import { JsonRpcService } from '../../../../kit/http/json-rpc.ts'

const told: unknown[] = []
const never = new Promise<null>(() => {})
let aborted = 0

const methods: Methods = {
  test_subtract: method([quantity(64), quantity(64)], (_, a, b) => `${a - b}`),
  test_tell: method([text], (_, what) => {
    told.push(what)
    return null
  }),
  test_revert: method([], () => {
    throw new JsonRpcError(3, 'execution reverted: no', '0x08c379a0')
  }),
  test_chain: method([], () => {
    throw new ChainError('sdk', 5, 'insufficient funds')
  }),
  test_busy: method([], () => Promise.reject(new TooManyReads('all'))),
  test_down: method([], () => Promise.reject(new RpcUnavailable('fetch failed at 127.0.0.1:26657'))),
  test_fault: method([], () => {
    throw new TypeError('secret at /home/operator/file.ts:1')
  }),
  test_long: method([quantity(32)], (_, length) => 'a'.repeat(Number(length))),
  test_never: method([], ({ signal }) => {
    signal.addEventListener('abort', () => aborted++)
    return never
  }),
}

describe('JSON-RPC over HTTP', () => {
  let service: JsonRpcService
  before(async () => {
    service = await JsonRpcService.start({ maxAnswerBytes: 10_000, timeoutMs: 400 }, { methods })
  })
  beforeEach(() => {
    told.length = 0
  })
  after(() => service.stop())

  const answered = async (text: string): Promise<unknown> => (await service.post(text)).body
  const fault = (id: unknown, code: number, message: string, data?: unknown) => ({
    jsonrpc: '2.0',
    id,
    error: { code, message, ...(data !== undefined && { data }) },
  })

  it('tells which chain and which program this is', async () => {
    expect(await service.call('eth_chainId', [])).to.deep.equal({ jsonrpc: '2.0', id: 1, result: '0x1ccd' })
    expect((await service.call('net_version')).result).to.equal('7373')
    expect((await service.call('web3_clientVersion', null)).result).to.equal('Fornax/v0.0.0/test')
    expect((await service.call('rpc_modules')).result).to.deep.equal({
      eth: '1.0',
      net: '1.0',
      rpc: '1.0',
      test: '1.0',
      web3: '1.0',
    })
  })

  it('answers under the id that it was asked with: text, any number as it is written, or null', async () => {
    for (const id of [
      '1',
      '0',
      '-7',
      '-0',
      '1.5',
      '"a"',
      '""',
      '"\\u0000é"',
      'null',
      '12345678901234567890123',
      '1e400',
    ])
      for (const call of [
        `{"jsonrpc":"2.0","id":${id},"method":"net_version"}`,
        `{ "params" : [] , "method":"net_version", "id"  :\n ${id} , "jsonrpc":"2.0" }`,
      ]) {
        const response = await fetch(service.server.url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: call,
        })
        const written = id.startsWith('"') ? JSON.stringify(JSON.parse(id)) : id
        expect(await response.text()).to.equal(`{"jsonrpc":"2.0","id":${written},"result":"7373"}`)
        expect(response.headers.get('content-type')).to.equal('application/json; charset=utf-8')
      }
  })

  it('says nothing to a notification, and does it', async () => {
    const { status, body } = await service.post({ jsonrpc: '2.0', method: 'test_tell', params: ['x'] })
    expect([status, body, told]).to.deep.equal([204, '', ['x']])
    const none = await service.post([{ jsonrpc: '2.0', method: 'test_tell', params: ['y'] }])
    expect([none.status, none.body, told]).to.deep.equal([204, '', ['x', 'y']])
    for (const method of ['test_fault', 'test_revert', 'nothing_here', 'eth_subscribe'])
      expect((await service.post({ jsonrpc: '2.0', method })).status).to.equal(204)
  })

  it('answers batches in their order, each by itself', async () => {
    const batch = `[
      {"jsonrpc": "2.0", "method": "test_subtract", "params": ["0x2a", "0x17"], "id": "1"},
      {"jsonrpc": "2.0", "method": "test_tell", "params": ["x"]},
      {"foo": "boo"},
      1,
      [],
      {"jsonrpc": "2.0", "method": "foo_get", "params": {"name": "myself"}, "id": "5"},
      {"jsonrpc": "2.0", "method": "net_version", "id": 9},
      {"jsonrpc": "2.0", "method": "net_version", "id": 9},
      {"jsonrpc": "2.0", "method": "net_version", "id": 18446744073709551615}
    ]`
    expect(await answered(batch)).to.deep.equal([
      { jsonrpc: '2.0', id: '1', result: '19' },
      fault(null, -32600, 'jsonrpc must be "2.0"'),
      fault(null, -32600, 'a request is an object'),
      fault(null, -32600, 'a request is an object'),
      fault('5', -32601, 'the method foo_get does not exist/is not available'),
      { jsonrpc: '2.0', id: 9, result: '7373' },
      { jsonrpc: '2.0', id: 9, result: '7373' },
      { jsonrpc: '2.0', id: Number('18446744073709551615'), result: '7373' },
    ])
    expect(told).to.deep.equal(['x'])
  })

  it('refuses batches that are empty or too large', async () => {
    expect(await answered('[]')).to.deep.equal(fault(null, -32600, 'empty batch'))
    const call = { jsonrpc: '2.0', id: 1, method: 'net_version' }
    const largest = await service.post(Array.from({ length: 100 }, () => call))
    expect(largest.body).to.have.length(100)
    expect((await service.post(Array.from({ length: 101 }, () => call))).body).to.deep.equal(
      fault(null, -32600, 'batch too large: at most 100 requests'),
    )
  })

  it('refuses what is no JSON, and what is no request', async () => {
    for (const text of [
      '',
      '{',
      '[',
      'x',
      '{"jsonrpc":"2.0","id":1',
      '[1,]',
      '\u0000',
      'NaN',
      '{"a":1}}',
      "{'a':1}",
    ])
      expect(await answered(text), text).to.deep.equal(fault(null, -32700, 'parse error'))
    for (const text of ['1', 'null', '"x"', 'true'])
      expect(await answered(text), text).to.deep.equal(fault(null, -32600, 'a request is an object'))
    const say = (more: string): Promise<unknown> => answered(`{${more}}`)
    const version = 'jsonrpc must be "2.0"'
    expect(await say('')).to.deep.equal(fault(null, -32600, version))
    expect(await say('"id":1,"method":"net_version"')).to.deep.equal(fault(1, -32600, version))
    expect(await say('"jsonrpc":2.0,"id":1,"method":"net_version"')).to.deep.equal(fault(1, -32600, version))
    expect(await say('"jsonrpc":"1.0","id":"a","method":"net_version"')).to.deep.equal(
      fault('a', -32600, version),
    )
    for (const id of ['true', '[1]', '{"a":1}'])
      expect(await say(`"jsonrpc":"2.0","id":${id},"method":"net_version"`)).to.deep.equal(
        fault(null, -32600, 'id must be a string, a number or null'),
      )
    for (const method of ['1', 'null', '""', '["net_version"]', '{}'])
      expect(await say(`"jsonrpc":"2.0","id":1,"method":${method}`)).to.deep.equal(
        fault(1, -32600, 'method must be a name'),
      )
    expect(await say('"jsonrpc":"2.0","id":1,"id":2,"method":"net_version"')).to.deep.equal(
      fault(null, -32600, 'the body has "id" twice'),
    )
  })

  it('refuses nesting without end before it reads it, and takes what is nested less', async () => {
    const fine = await answered(
      `{"jsonrpc":"2.0","id":1,"method":"net_version","params":${'['.repeat(63)}${']'.repeat(63)}}`,
    )
    expect(fine).to.deep.equal(fault(1, -32602, 'too many arguments, want at most 0'))
    const deep = [
      `{"jsonrpc":"2.0","id":1,"method":"net_version","params":${'['.repeat(64)}${']'.repeat(64)}}`,
      '['.repeat(1_000_000),
      '{"a":'.repeat(200_000),
      `["${'['.repeat(100)}",${'['.repeat(100)}`,
    ]
    for (const text of deep)
      expect(await answered(text)).to.deep.equal(fault(null, -32600, 'nested too deeply'))
    expect(await answered(`"${'['.repeat(1000)}"`)).to.deep.equal(
      fault(null, -32600, 'a request is an object'),
    )
  })

  it('refuses methods that are none, whatever they are called', async () => {
    for (const name of [
      'eth_foo',
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'eth_chainid',
      ' ',
    ])
      expect(await service.call(name)).to.deep.equal(
        fault(1, -32601, `the method ${name} does not exist/is not available`),
      )
    const long = (await service.call('x'.repeat(100_000))).error
    expect(long?.message).to.have.length.lessThan(200)
  })

  it('refuses arguments that are missing, too many, or of another kind', async () => {
    const says = async (params: unknown, message: string): Promise<void> => {
      expect(await service.call('test_subtract', params)).to.deep.equal(fault(1, -32602, message))
    }
    await says([], 'missing value for required argument 0')
    await says(['0x1'], 'missing value for required argument 1')
    await says([null, '0x1'], 'missing value for required argument 0')
    await says(['0x1', '0x1', '0x1'], 'too many arguments, want at most 2')
    await says({ a: '0x1', b: '0x1' }, 'non-array args')
    await says('0x1', 'non-array args')
    await says(['0x1', 1], 'invalid argument 1: non-string')
    await says(['0x01', '0x1'], 'invalid argument 0: hex number with leading zero digits')
    await says(['0x', '0x1'], 'invalid argument 0: hex string "0x"')
    await says(['1', '0x1'], 'invalid argument 0: hex string without 0x prefix')
    await says([{ __proto__: null }, '0x1'], 'invalid argument 0: non-string')
    expect(await service.call('net_version', ['x'])).to.deep.equal(
      fault(1, -32602, 'too many arguments, want at most 0'),
    )
  })

  it('tells what a method refuses, and nothing of the node where that fails', async () => {
    expect(await service.call('test_revert')).to.deep.equal(
      fault(1, 3, 'execution reverted: no', '0x08c379a0'),
    )
    expect(await service.call('test_chain')).to.deep.equal(fault(1, -32000, 'insufficient funds'))
    expect(await service.call('test_busy')).to.deep.equal(
      fault(1, -32005, 'too many reads wait for an answer'),
    )
    expect(await service.call('test_down')).to.deep.equal(
      fault(1, -32603, "the node's CometBFT does not answer"),
    )
    service.faults.length = 0
    expect(await service.call('test_fault')).to.deep.equal(
      fault(1, -32603, 'the node failed to answer; its log says why'),
    )
    expect(service.faults).to.have.length(1)
    service.faults.length = 0
  })

  it('ends what takes too long, and what it began of a batch is told', async () => {
    aborted = 0
    expect(await service.call('test_never')).to.deep.equal(fault(1, -32002, 'request timed out'))
    const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: name })
    const batch = [call(1, 'net_version'), call(2, 'test_never'), call(3, 'net_version')]
    expect((await service.post(batch)).body).to.deep.equal([
      { jsonrpc: '2.0', id: 1, result: '7373' },
      fault(2, -32002, 'request timed out'),
      fault(3, -32002, 'request timed out'),
    ])
    expect(aborted).to.equal(2)
  })

  it('has a method told that its caller has left', async () => {
    aborted = 0
    const patient = await JsonRpcService.start({}, { methods })
    const leaving = new AbortController()
    const request = fetch(patient.server.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"test_never"}',
      signal: leaving.signal,
    })
    setTimeout(() => leaving.abort(), 100)
    await request.then(
      () => expect.fail('an answer'),
      () => {},
    )
    await eventually('the method is told', () => aborted === 1)
    await patient.stop()
  })

  it('answers with an error in place of what is too long, in batches too', async () => {
    const long = (id: number, length: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'test_long',
      params: [`0x${length.toString(16)}`],
    })
    const small = (await service.post(long(1, 9900))).body
    expect(small.result).to.have.length(9900)
    expect((await service.post(long(1, 10_000))).body).to.deep.equal(fault(1, -32003, 'response too large'))
    const batch = (await service.post([long(1, 6000), long(2, 6000), long(3, 1000)])).body
    expect(batch[0].result).to.have.length(6000)
    expect(batch[1]).to.deep.equal(fault(2, -32003, 'response too large'))
    expect(batch[2].result).to.have.length(1000)
  })

  it('counts calls by method and errors by code, unknown names under one label', async () => {
    const own = await JsonRpcService.start({}, { methods })
    await own.call('eth_chainId')
    for (let i = 0; i < 5; i++) await own.call(`eth_random${i}`)
    await own.call('test_revert')
    await own.post('{')
    const shown = await own.metrics.registry.metrics()
    expect(shown).to.contain('fornax_jsonrpc_seconds_count{method="eth_chainId"} 1')
    expect(shown).to.contain('fornax_jsonrpc_seconds_count{method="unknown"} 5')
    expect(shown).to.contain('fornax_jsonrpc_errors_total{method="unknown",code="-32601"} 5')
    expect(shown).to.contain('fornax_jsonrpc_errors_total{method="unknown",code="-32700"} 1')
    expect(shown).to.contain('fornax_jsonrpc_errors_total{method="test_revert",code="-32000"} 1')
    expect(shown).not.to.contain('eth_random')
    await own.stop()
  })
})

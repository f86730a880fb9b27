import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { type Methods, method } from '../../../../../daemon/http/jsonrpc/method.ts'
import { text } from '../../../../../daemon/http/jsonrpc/params.ts'
import { eventually } from '../../../../kit/eventually.ts'
import { JsonRpcService, type WebSocketClient } from '../../../../kit/http/json-rpc.ts'

const LONG = 'a'.repeat(200_000)
const waiting: (() => void)[] = []
let begun = 0
const methods: Methods = {
  test_long: method([], () => LONG),
  test_wait: method([], () => {
    begun++
    return new Promise<null>((resolve) => waiting.push(() => resolve(null)))
  }),
  test_echo: method([text], (_, said) => said),
}

const HANDSHAKE = [
  'GET / HTTP/1.1',
  'Host: localhost',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
]

/** A connection past its handshake that says just what it is told to. */
function rawWebSocket(
  port: number,
  headers: readonly string[] = [],
): Promise<{ socket: Socket; heard: () => string }> {
  return new Promise((resolve, reject) => {
    let heard = ''
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`${[...HANDSHAKE, ...headers].join('\r\n')}\r\n\r\n`),
    )
    socket.on('error', () => {})
    socket.once('close', () => reject(new Error(heard)))
    socket.on('data', (data) => {
      heard += data.toString('latin1')
      if (heard.includes('\r\n\r\n')) resolve({ socket, heard: () => heard })
    })
  })
}

/** A frame whose mask is zero. */
function frame(opcode: number, payload: string, { isLast = true } = {}): Buffer {
  const bytes = Buffer.from(payload)
  const first = (isLast ? 0x80 : 0) | opcode
  const head =
    bytes.length < 126
      ? [first, 0x80 | bytes.length]
      : [first, 0x80 | 126, Math.floor(bytes.length / 256), bytes.length % 256]
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), bytes])
}

describe('JSON-RPC over WebSockets', () => {
  let service: JsonRpcService
  beforeEach(async () => {
    begun = 0
    waiting.length = 0
    service = await JsonRpcService.start(
      { maxConnections: 4, maxConnectionsPerClient: 3, pingMs: 100, maxUnreadBytes: 100_000 },
      { methods },
    )
  })
  afterEach(async () => {
    expect(service.faults).to.deep.equal([])
    await service.stop()
  })

  const refused = (headers: Record<string, string> = {}): Promise<string> =>
    service.connect(headers).then(
      () => 'connected',
      (error: Error) => error.message,
    )

  it('answers calls, batches and what is none, in text and in binary', async () => {
    const client = await service.connect()
    expect((await client.call('eth_chainId')).result).to.equal('0x1ccd')
    client.send([
      { jsonrpc: '2.0', id: 1, method: 'net_version' },
      { jsonrpc: '2.0', method: 'net_version' },
      { jsonrpc: '2.0', id: null, method: 'eth_foo' },
    ])
    expect((await client.take()).map((answer: { id: unknown }) => answer.id)).to.deep.equal([1, null])
    client.send('{')
    expect(await client.take()).to.deep.equal({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: 'parse error' },
    })
    client.socket.send(Buffer.from('{"jsonrpc":"2.0","id":"b","method":"test_echo","params":["é"]}'), {
      binary: true,
    })
    expect(await client.take()).to.deep.equal({ jsonrpc: '2.0', id: 'b', result: 'é' })
    client.send({ jsonrpc: '2.0', method: 'net_version' })
    expect((await client.call('net_version')).result).to.equal('7373')
    expect(client.messages).to.deep.equal([])
  })

  it('has no compression, with which a few bytes could become gigabytes', async () => {
    const client = await service.connect()
    expect(client.socket.extensions).to.equal('')
    const { heard } = await rawWebSocket(service.port, ['Sec-WebSocket-Extensions: permessage-deflate'])
    expect(heard())
      .to.match(/^HTTP\/1\.1 101/)
      .and.not.match(/extensions/i)
  })

  it('answers slow calls when they are done, other calls before', async () => {
    const client = await service.connect()
    client.send({ jsonrpc: '2.0', id: 'slow', method: 'test_wait' })
    expect((await client.call('net_version')).result).to.equal('7373')
    await eventually('the slow one', () => waiting.length === 1)
    waiting[0]!()
    expect(await client.take()).to.deep.equal({ jsonrpc: '2.0', id: 'slow', result: null })
  })

  it('begins no more than 16 calls of a connection at a time, and reads no further', async () => {
    const client = await service.connect()
    for (let id = 0; id < 300; id++) client.send({ jsonrpc: '2.0', id, method: 'test_wait' })
    await eventually('calls under way', () => begun === 16)
    // Longer than two signs of life, which a connection that is not read from cannot give.
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect([begun, client.closeCode]).to.deep.equal([16, undefined])
    const other = await service.connect()
    expect((await other.call('net_version')).result).to.equal('7373')
    await eventually('all answers', () => {
      for (const answer of waiting.splice(0)) answer()
      return client.messages.length === 300
    })
    expect(new Set(client.messages.map(({ id }) => id)).size).to.equal(300)
  })

  it('leaves what it has no room for with its sender', async () => {
    const client = await service.connect()
    const room = ' '.repeat(500_000)
    for (let id = 0; id < 100; id++) client.send(`{"jsonrpc":"2.0","id":${id},"method":"test_wait"${room}}`)
    await eventually('calls under way', () => begun === 3)
    await new Promise((resolve) => setTimeout(resolve, 400))
    // 50 MB, of which the system's buffers have some.
    expect(client.socket.bufferedAmount).to.be.greaterThan(20_000_000)
    expect([begun, client.closeCode]).to.deep.equal([3, undefined])
    await eventually('all answers', () => {
      for (const answer of waiting.splice(0)) answer()
      return client.messages.length === 100
    })
  })

  it('takes hosts and origins as HTTP does, and paths that are its own', async () => {
    expect(await refused({ host: 'localhost' })).to.equal('connected')
    expect(await refused({ host: 'evil.example' })).to.equal('Unexpected server response: 403')
    expect(await refused({ origin: 'https://app.example' })).to.equal('Unexpected server response: 403')
    expect(await refused({ origin: 'null' })).to.equal('Unexpected server response: 403')
    const open = await JsonRpcService.start({ corsOrigins: ['https://app.example'] })
    const client = await open.connect({ origin: 'https://app.example' })
    expect((await client.call('net_version')).result).to.equal('7373')
    await open.stop()
    const raw = await rawWebSocket(service.port, ['Origin: https://app.example'])
    expect(raw.heard()).to.match(/^HTTP\/1\.1 403/)
    expect(JSON.parse(raw.heard().split('\r\n\r\n')[1]!).error.code).to.equal(-32600)
  })

  it('takes so many connections of a client, and of all', async () => {
    const clients: WebSocketClient[] = []
    for (let i = 0; i < 3; i++) clients.push(await service.connect())
    expect(await refused()).to.equal('Unexpected server response: 429')
    const shown = await service.metrics.registry.metrics()
    expect(shown).to.contain('fornax_jsonrpc_connections 3')
    clients[0]!.end()
    await eventually('a place', async () => (await refused()) === 'connected')
    const few = await JsonRpcService.start({ maxConnections: 0 })
    await few.connect().then(
      () => expect.fail('connected'),
      (error: Error) => expect(error.message).to.equal('Unexpected server response: 503'),
    )
    await few.stop()
  })

  it('refuses messages that are too long, whole or in fragments, and frames that are none', async () => {
    const long = await service.connect()
    long.send(' '.repeat(1_048_577))
    await eventually('the end', () => long.closeCode)
    expect(long.closeCode).to.equal(1009)
    const endOf = async (...frames: Buffer[]): Promise<string> => {
      const { socket, heard } = await rawWebSocket(service.port)
      for (const each of frames) socket.write(each)
      await eventually('the end', () => socket.closed)
      return heard().slice(-2)
    }
    const fragments = Array.from({ length: 40 }, (_, i) =>
      frame(i === 0 ? 1 : 0, ' '.repeat(60_000), { isLast: false }),
    )
    expect(await endOf(...fragments)).to.equal('\x03\xf1')
    const crumbs = Array.from({ length: 20_000 }, (_, i) => frame(i === 0 ? 1 : 0, ' ', { isLast: false }))
    expect(await endOf(Buffer.concat(crumbs))).to.equal('\x03\xf0')
    expect(await endOf(Buffer.from([0xc1, 0x80, 0, 0, 0, 0])), 'compressed').to.equal('\x03\xea')
    expect(await endOf(Buffer.from([0x81, 0x02, 0x7b, 0x7d])), 'unmasked').to.equal('\x03\xea')
    expect(await endOf(Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff])), 'no UTF-8').to.equal('\x03\xef')
  })

  it('puts fragments together, control frames between them', async () => {
    const { socket, heard } = await rawWebSocket(service.port)
    const call = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
    const middle = { isLast: false }
    socket.write(frame(1, call.slice(0, 9), middle))
    socket.write(frame(9, 'ping'))
    socket.write(
      Buffer.concat([frame(0, call.slice(9, 20), middle), frame(0, '', middle), frame(0, call.slice(20))]),
    )
    await eventually('the answer', () => heard().includes('"result":"0x1ccd"'))
    socket.destroy()
  })

  it('closes connections that give no sign of life', async () => {
    const dead = await rawWebSocket(service.port)
    const alive = await service.connect()
    const pings: number[] = []
    alive.socket.on('ping', () => pings.push(1))
    await eventually('the end', () => dead.socket.closed)
    await eventually('pings', () => pings.length > 4)
    expect(alive.closeCode).to.equal(undefined)
  })

  it('closes the connection of a client that asks and never reads', async () => {
    const { socket } = await rawWebSocket(service.port)
    socket.pause()
    const call = frame(1, '{"jsonrpc":"2.0","id":1,"method":"test_long"}')
    for (let i = 0; i < 500; i++) socket.write(call)
    // Nothing reads, so only the server can end it.
    await eventually('the server is rid of it', async () =>
      (await service.metrics.registry.metrics()).includes('fornax_jsonrpc_connections 0'),
    )
    const calls = (await service.metrics.registry.metrics()).match(
      /seconds_count\{method="test_long"\} (\d+)/,
    )
    expect(Number(calls![1])).to.be.lessThan(100)
    socket.destroy()
  })

  it('tells its clients when it stops, and waits for none that does not listen', async () => {
    const client = await service.connect()
    await rawWebSocket(service.port)
    await service.server.close()
    await eventually('the end', () => client.closeCode)
    expect(client.closeCode).to.equal(1001)
  })
})

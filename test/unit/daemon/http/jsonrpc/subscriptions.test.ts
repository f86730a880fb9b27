import { expect } from 'chai'
import { objectOf, optional, quantity } from '../../../../../daemon/http/jsonrpc/params.ts'
import { type SubscriptionKinds, subscriptionKind } from '../../../../../daemon/http/jsonrpc/subscriptions.ts'
import { eventually } from '../../../../kit/eventually.ts'
import { JsonRpcService } from '../../../../kit/http/json-rpc.ts'

/** Whoever is to be told; of each the number that it asked for. */
const listeners = new Map<(json: string) => void, bigint | undefined>()
const kinds: SubscriptionKinds = {
  ticks: subscriptionKind([optional(objectOf({ from: quantity(64) }))], (notify, options) => {
    listeners.set(notify, options?.from)
    notify('"begins"')
    return () => listeners.delete(notify)
  }),
}
const tell = (json: string): void => {
  for (const notify of listeners.keys()) notify(json)
}

describe('Subscriptions', () => {
  let service: JsonRpcService
  beforeEach(async () => {
    listeners.clear()
    service = await JsonRpcService.start(
      { maxUnreadBytes: 2_000_000, pingMs: 600_000 },
      { subscriptions: kinds },
    )
  })
  afterEach(async () => {
    expect(service.faults).to.deep.equal([])
    await service.stop()
    expect(listeners.size).to.equal(0)
  })

  const gauge = async (): Promise<string | undefined> =>
    /fornax_jsonrpc_subscriptions\{kind="ticks"\} (\d+)/.exec(await service.metrics.registry.metrics())?.[1]
  const notification = (subscription: unknown, result: unknown) => ({
    jsonrpc: '2.0',
    method: 'eth_subscription',
    params: { subscription, result },
  })

  it('tell what happens, from behind the answer with their id on, until they are ended', async () => {
    const client = await service.connect()
    const { result: id } = await client.call('eth_subscribe', ['ticks'])
    expect(id).to.match(/^0x[0-9a-f]{32}$/)
    expect(await client.take()).to.deep.equal(notification(id, 'begins'))
    tell('{"n":1}')
    tell('{"n":2}')
    expect(await client.take()).to.deep.equal(notification(id, { n: 1 }))
    expect(await client.take()).to.deep.equal(notification(id, { n: 2 }))
    expect(await gauge()).to.equal('1')
    expect((await client.call('eth_unsubscribe', [id])).result).to.equal(true)
    expect([listeners.size, await gauge()]).to.deep.equal([0, '0'])
    tell('{"n":3}')
    expect((await client.call('net_version')).result).to.equal('7373')
    expect(client.messages).to.deep.equal([])
    expect((await client.call('eth_unsubscribe', [id])).error).to.deep.equal({
      code: -32000,
      message: 'subscription not found',
    })
  })

  it('answer first in batches too', async () => {
    const client = await service.connect()
    const call = (id: number, method: string, params: unknown[]) => ({ jsonrpc: '2.0', id, method, params })
    client.send([
      call(1, 'eth_subscribe', ['ticks']),
      call(2, 'eth_subscribe', ['ticks', { from: '0x5' }]),
      call(3, 'net_version', []),
    ])
    const answers = await client.take()
    expect(answers).to.have.length(3)
    const ids = [answers[0].result, answers[1].result]
    expect([await client.take(), await client.take()]).to.deep.equal(
      ids.map((id) => notification(id, 'begins')),
    )
    expect([...listeners.values()]).to.deep.equal([undefined, 5n])
    client.end()
    await eventually('they end with their connection', () => listeners.size === 0)
    expect(await gauge()).to.equal('0')
  })

  it('are refused where there is no such kind, with wrong arguments, and over HTTP', async () => {
    const client = await service.connect()
    const fault = async (...params: unknown[]) => (await client.call('eth_subscribe', params)).error
    for (const name of ['newHeads', '__proto__', 'constructor', ''])
      expect(await fault(name)).to.deep.equal({
        code: -32601,
        message: `no "${name}" subscription in eth namespace`,
      })
    expect(await fault()).to.include({ code: -32602 })
    expect(await fault(5)).to.include({ code: -32602 })
    expect(await fault('ticks', 5)).to.deep.equal({ code: -32602, message: 'invalid argument 1: non-object' })
    expect(await fault('ticks', { from: 5 })).to.deep.equal({
      code: -32602,
      message: 'invalid argument 1: from: non-string',
    })
    expect(await fault('ticks', {})).to.deep.equal({
      code: -32602,
      message: 'invalid argument 1: missing field from',
    })
    expect(await fault('ticks', {}, {})).to.include({ code: -32602 })
    client.send({ jsonrpc: '2.0', method: 'eth_subscribe', params: ['ticks'] })
    expect((await client.call('net_version')).result).to.equal('7373')
    expect([listeners.size, client.messages]).to.deep.equal([0, []])
    for (const [method, params] of [
      ['eth_subscribe', ['ticks']],
      ['eth_unsubscribe', ['0x00']],
    ] as const)
      expect((await service.call(method, params)).error).to.deep.equal({
        code: -32601,
        message: 'notifications not supported: subscribe over a WebSocket',
      })
  })

  it('of a connection are its own, and so many', async () => {
    const [one, other] = [await service.connect(), await service.connect()]
    const { result: id } = await one.call('eth_subscribe', ['ticks'])
    expect((await other.call('eth_unsubscribe', [id])).error?.message).to.equal('subscription not found')
    const more = Array.from({ length: 99 }, (_, i) => ({
      jsonrpc: '2.0',
      id: `more ${i}`,
      method: 'eth_subscribe',
      params: ['ticks'],
    }))
    one.send(more)
    await one.take((message) => Array.isArray(message))
    expect((await one.call('eth_subscribe', ['ticks'])).error).to.deep.equal({
      code: -32005,
      message: 'a connection has at most 100 subscriptions',
    })
    expect((await other.call('eth_subscribe', ['ticks'])).result).to.be.a('string')
  })

  it('end with the connection of whoever does not read them, and others go on', async () => {
    const [slow, quick] = [await service.connect(), await service.connect()]
    await slow.call('eth_subscribe', ['ticks'])
    await quick.call('eth_subscribe', ['ticks'])
    slow.socket.pause()
    let told = 0
    // The buffers of the system fill first.
    await eventually('the slow one is closed', () => {
      for (let i = 0; i < 50; i++) tell(JSON.stringify('a'.repeat(10_000)))
      told += 50
      return listeners.size === 1
    })
    await eventually('all is told', () => quick.messages.length === told + 1)
    expect((await quick.call('net_version')).result).to.equal('7373')
    expect(quick.closeCode).to.equal(undefined)
  })
})

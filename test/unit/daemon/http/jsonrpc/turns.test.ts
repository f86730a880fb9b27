import { expect } from 'chai'
import { type Methods, method } from '../../../../../daemon/http/jsonrpc/method.ts'
import { Pace } from '../../../../../daemon/http/jsonrpc/pace.ts'
import { type Reach, Reads } from '../../../../../daemon/read-turns.ts'
import { eventually } from '../../../../kit/eventually.ts'
import { JsonRpcService } from '../../../../kit/http/json-rpc.ts'

describe('JSON-RPC methods that read the state', () => {
  it('take turns with the reads of other interfaces; others need none', async () => {
    const turns: unknown[] = []
    class Watched extends Reads {
      override run<T>(client: string, read: () => T | Promise<T>, reach?: Reach): Promise<T> {
        turns.push([client, reach])
        return super.run(client, read, reach)
      }
    }
    const methods: Methods = {
      test_near: method([], () => 'near', 'near'),
      test_far: method([], () => 'far', 'far'),
    }
    const service = await JsonRpcService.start({}, { methods, reads: new Watched() })
    const calls = ['net_version', 'test_near', 'test_far'].map((method, id) => ({
      jsonrpc: '2.0',
      id,
      method,
    }))
    const { body } = await service.post(calls)
    expect(body.map(({ result }: { result: string }) => result)).to.deep.equal(['7373', 'near', 'far'])
    expect(turns).to.deep.equal([
      ['127.0.0.1', 'near'],
      ['127.0.0.1', 'far'],
    ])
    // A long text holds the thread while it is read.
    expect((await service.post([...calls, 'a'.repeat(70_000)])).body).to.have.length(4)
    expect(turns).to.have.length(5)
    await service.stop()
  })

  it('are refused where a client has too many, and left out where it has gone', async () => {
    let runs = 0
    const held: (() => void)[] = []
    const methods: Methods = {
      test_read: method(
        [],
        () => {
          runs++
          return new Promise<null>((resolve) => held.push(() => resolve(null)))
        },
        'far',
      ),
    }
    const service = await JsonRpcService.start({}, { methods })
    const clients = await Promise.all(Array.from({ length: 4 }, () => service.connect()))
    for (const client of clients)
      for (let id = 0; id < 16; id++) client.send({ jsonrpc: '2.0', id, method: 'test_read' })
    await eventually('refusals', () => clients.flatMap((c) => c.messages).length === 64 - 50)
    for (const { messages } of clients)
      for (const { error } of messages)
        expect(error).to.deep.equal({ code: -32005, message: 'too many reads wait for an answer' })
    expect(runs).to.equal(2)
    for (const client of clients) client.end()
    await eventually('they have gone', async () =>
      (await service.metrics.registry.metrics()).includes('fornax_jsonrpc_connections 0'),
    )
    for (const finish of held) finish()
    const last = service.call('test_read')
    await eventually('the queue is empty', () => runs === 3)
    held.at(-1)!()
    expect((await last).result).to.equal(null)
    await service.stop()
  })
})

describe('JSON-RPC methods that read no state', () => {
  it('leave the thread to others, however many are called at once', async () => {
    let round = 0
    const calls: number[] = []
    const methods: Methods = {
      test_note: method([], () => {
        calls[round] = (calls[round] ?? 0) + 1
        return null
      }),
    }
    const service = await JsonRpcService.start({ maxBatch: 500 }, { methods })
    const clients = await Promise.all(Array.from({ length: 3 }, () => service.connect()))
    const call = { jsonrpc: '2.0', id: 1, method: 'test_note' }
    let isOver = false
    const count = (): void => {
      round++
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    for (const client of clients) {
      for (let i = 0; i < 5; i++) client.send(Array.from({ length: 200 }, () => call))
      for (let i = 0; i < 300; i++) client.send(call)
    }
    await eventually('all answers', () => clients.every(({ messages }) => messages.length === 305))
    isOver = true
    const perRound = calls.filter((n) => n !== undefined)
    expect(perRound.reduce((sum, n) => sum + n, 0)).to.equal(3 * 1300)
    // What came in two rounds of the server may fall between two of the test's.
    expect(Math.max(...perRound)).to.be.within(10, 128)
    await service.stop()
  })

  it('wait in the order of coming, the texts that they stand in too', async () => {
    const pace = new Pace()
    const order: number[] = []
    const waits: Promise<unknown>[] = []
    expect(pace.text(64 * 2048)).to.equal(undefined)
    for (let i = 0; i < 200; i++) {
      const turn = pace.call()
      expect(turn).to.be.instanceOf(Promise)
      waits.push(turn!.then(() => order.push(i)))
    }
    await new Promise((resolve) => setImmediate(resolve))
    expect(order).to.have.length(64)
    await Promise.all(waits)
    expect(order).to.deep.equal(Array.from({ length: 200 }, (_, i) => i))
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    expect(pace.call()).to.equal(undefined)
  })
})

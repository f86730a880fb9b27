import { expect } from 'chai'
import { type Methods, method } from '../../../../../daemon/http/jsonrpc/method.ts'
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

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { JsonRpcProvider, WebSocketProvider } from 'ethers'
import { createPublicClient, http, webSocket } from 'viem'
import { JsonRpcService } from '../../../../kit/http/json-rpc.ts'

describe('Clients that users have', () => {
  let service: JsonRpcService
  let socketUrl: string
  before(async () => {
    service = await JsonRpcService.start()
    socketUrl = service.server.url.replace('http', 'ws')
  })
  after(() => service.stop())

  it('viem asks over HTTP, one by one and in batches, and over WebSockets', async () => {
    for (const batch of [false, true]) {
      const client = createPublicClient({ transport: http(service.server.url, { batch }) })
      const answers = await Promise.all([
        client.getChainId(),
        client.request({ method: 'net_version' as never }),
      ])
      expect(answers).to.deep.equal([7373, '7373'])
      const unknown = await client.getBlockNumber().catch((error: Error) => error)
      expect(unknown).to.have.nested.property('cause.code', -32601)
    }
    const client = createPublicClient({
      transport: webSocket(socketUrl, { reconnect: false, keepAlive: false }),
    })
    expect(await client.getChainId()).to.equal(7373)
    ;(await client.transport.getRpcClient()).close()
  })

  it('ethers asks over HTTP, which it batches, and over WebSockets', async () => {
    const provider = new JsonRpcProvider(service.server.url)
    const [network, version] = await Promise.all([provider.getNetwork(), provider.send('net_version', [])])
    expect([network.chainId, version]).to.deep.equal([7373n, '7373'])
    provider.destroy()
    const over = new WebSocketProvider(socketUrl)
    expect((await over.getNetwork()).chainId).to.equal(7373n)
    await over.destroy()
  })

  it('curl asks, with HTTP/2 offered too', async function () {
    const curl = (...options: string[]) =>
      promisify(execFile)('curl', [
        ...['-sS', '--max-time', '20', '-H', 'content-type: application/json', ...options],
        ...['-d', '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}', service.server.url],
      ])
    try {
      expect((await curl()).stdout).to.equal('{"jsonrpc":"2.0","id":1,"result":"0x1ccd"}')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      this.skip()
    }
    const offered = await curl('--http2', '--compressed')
    expect(offered.stdout).to.equal('{"jsonrpc":"2.0","id":1,"result":"0x1ccd"}')
  })
})

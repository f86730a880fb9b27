import { expect } from 'chai'
import { createPublicClient, http, webSocket } from 'viem'
import { isFree } from '../../../localnet/ports.ts'
import { ask } from '../../kit/http/rest.ts'
import { sharedLocalnet } from '../../kit/localnet/localnet.ts'

describe('JSON-RPC on a local network', () => {
  const net = sharedLocalnet()

  it('answers at each node, where info.json says, over HTTP and WebSockets', async () => {
    const { nodes } = net().info
    expect(new Set(nodes.map(({ jsonrpc }) => jsonrpc)).size).to.equal(nodes.length)
    for (const { jsonrpc } of nodes) {
      expect(await createPublicClient({ transport: http(jsonrpc) }).getChainId()).to.equal(7373)
      const transport = webSocket(jsonrpc.replace('http', 'ws'), { reconnect: false, keepAlive: false })
      const client = createPublicClient({ transport })
      expect(await client.getChainId()).to.equal(7373)
      ;(await client.transport.getRpcClient()).close()
      expect(await isFree(Number(new URL(jsonrpc).port))).to.equal(false)
    }
  })

  it('tells the program with its version, lets pages read, and is measured', async () => {
    const [node] = net().info.nodes
    const { body, headers } = await ask(node!.jsonrpc, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://app.example' },
      body: '{"jsonrpc":"2.0","id":1,"method":"web3_clientVersion"}',
    })
    expect(body.result).to.match(/^Fornax\/v\d+\.\d+\.\d+\/[a-z0-9]+-[a-z0-9]+\/node\d+\.\d+\.\d+$/)
    expect(headers.get('access-control-allow-origin')).to.equal('*')
    expect((await ask(node!.metrics)).body).to.match(
      /^fornax_jsonrpc_seconds_count\{method="web3_clientVersion"\} [1-9]/m,
    )
  })
})

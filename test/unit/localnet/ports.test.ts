import { createServer } from 'node:net'
import { expect } from 'chai'
import { choosePorts, isFree, portsOf } from '../../../localnet/ports.ts'

describe('the ports of a local network', () => {
  it('are ten more for each node', () => {
    expect(portsOf(0)).to.include({ rest: 1317, jsonrpc: 8545, rpc: 26_657, p2p: 26_656 })
    expect(portsOf(3)).to.include({ rest: 1347, jsonrpc: 8575, rpc: 26_687, p2p: 26_686 })
  })

  it('are others where one is taken on loopback or on all addresses, which is said', async () => {
    for (const host of ['127.0.0.1', '0.0.0.0']) {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(portsOf(30).rest, host, resolve))
      expect(await isFree(portsOf(30).rest)).to.equal(false)
      const before = Array.from({ length: 31 }, (_, i) => portsOf(i))
      const { ports, replaced } = await choosePorts(before)
      server.close()
      expect(ports[30]?.rest).to.not.equal(portsOf(30).rest)
      expect(replaced.join()).to.match(/rest 1617 → \d+/)
      const all = ports.flatMap((p) => Object.values(p))
      expect(new Set(all).size).to.equal(all.length)
    }
  })
})

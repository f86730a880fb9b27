import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect } from 'chai'
import type { PeerJson } from '../../../../daemon/client/rpc.ts'
import { HostSampler } from '../../../../daemon/validator/host-sampler.ts'
import { freePorts } from '../../../kit/ports.ts'

const peer = (
  id: string,
  bytes: number,
  { rate = 0, start = 'then', port = 1, ip = '127.0.0.1' } = {},
): PeerJson => {
  const flow = { Start: start, Bytes: `${bytes}`, AvgRate: `${rate}` }
  return {
    node_info: { id, listen_addr: `tcp://0.0.0.0:${port}` },
    connection_status: { SendMonitor: flow, RecvMonitor: flow },
    remote_ip: ip,
  }
}

describe('the host sampler', () => {
  let peers: PeerJson[]
  let readings = 0
  const rpc = {
    async peers() {
      readings++
      return peers
    },
  }

  it('counts peers and the bytes between two readings, and reads no more often than every 10 s', async () => {
    readings = 0
    peers = [peer('a', 50_000, { rate: 1_000 })]
    const sampler = new HostSampler(rpc, async () => 5)
    expect(await sampler.sample(0)).to.deep.include({ connections: 1, net_contrib: 2 })
    peers = [peer('a', 150_000, { rate: 9 }), peer('b', 1_000_000, { rate: 3_000 })]
    expect(await sampler.sample(9_999)).to.deep.include({ connections: 1, net_contrib: 2 })
    expect(readings).to.equal(1)
    // Of a, 2 × 100,000 bytes in 20 s; of b, which is new, 2 × 3,000 a second.
    expect(await sampler.sample(20_000)).to.deep.include({ connections: 2, net_contrib: 16 })
    peers = [peer('a', 1_000, { rate: 500, start: 'now' })]
    expect(await sampler.sample(30_000)).to.deep.include({ connections: 1, net_contrib: 1 })
    peers = []
    expect(await sampler.sample(40_000)).to.deep.include({ connections: 0, net_contrib: 0 })
  })

  it('gives the processors in percent', async () => {
    peers = []
    const sampler = new HostSampler(rpc)
    const end = performance.now() + 100
    while (performance.now() < end);
    const { cpu_pct } = await sampler.sample()
    expect(cpu_pct).to.be.within(0.01, 100)
  })

  it('takes a short burst of work for no load: what counts is the last half minute', async () => {
    peers = []
    let busy = 0
    let total = 0
    const sampler = new HostSampler(
      rpc,
      async () => 5,
      () => ({ busy, total }),
    )
    const start = performance.now()
    const after = async (seconds: number, share: number): Promise<number> => {
      busy += share
      total += 1
      return (await sampler.sample(start + seconds * 1_000)).cpu_pct
    }
    for (let second = 1; second < 30; second++) expect(await after(second, 0)).to.equal(0)
    expect(await after(30, 1)).to.be.within(3, 4)
    for (let second = 31; second < 59; second++) await after(second, 1)
    expect(await after(60, 1)).to.equal(100)
    for (let second = 61; second < 90; second++) await after(second, 0)
    expect(await after(91, 0)).to.equal(0)
  })

  it('gives the median latency of the peers that answer, at most every 30 s', async () => {
    peers = ['a', 'b', 'c', 'd'].map((id) => peer(id, 0))
    const times = new Map<string, number | undefined>([
      ['a', 1],
      ['b', 70],
      ['c', 9],
      ['d', undefined],
    ])
    const sampler = new HostSampler(rpc, async ({ node_info }) => times.get(node_info.id))
    expect((await sampler.sample(0)).latency_ms).to.equal(9)
    for (const id of times.keys()) times.set(id, undefined)
    expect((await sampler.sample(29_999)).latency_ms).to.equal(9)
    expect((await sampler.sample(30_000)).latency_ms).to.equal(100)
  })

  it('probes again at once when the first peers come', async () => {
    peers = []
    const sampler = new HostSampler(rpc, async () => 12)
    expect((await sampler.sample(0)).latency_ms).to.equal(0)
    peers = [peer('a', 0)]
    expect((await sampler.sample(10_000)).latency_ms).to.equal(12)
  })

  it('times the connection to a port, open or closed, and passes over addresses that are none', async () => {
    const server = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const [closed] = await freePorts(1)
    try {
      for (const port of [(server.address() as AddressInfo).port, closed!]) {
        peers = [peer('a', 0, { port })]
        expect((await new HostSampler(rpc).sample()).latency_ms).to.be.within(0.01, 2_000)
      }
    } finally {
      server.close()
    }
    for (const odd of [{ ip: 'example.org' }, { ip: '' }, { port: 0 }, { port: 70_000 }]) {
      peers = [peer('a', 0, odd)]
      expect((await new HostSampler(rpc).sample()).latency_ms).to.equal(100)
    }
  })
})

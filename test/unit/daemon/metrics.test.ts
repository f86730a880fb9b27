import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { createMetrics, serveMetrics } from '../../../daemon/metrics.ts'

describe('metrics', () => {
  it('are served on a port of their own', async () => {
    const metrics = createMetrics()
    metrics.height.set(42)
    metrics.txs.inc({ result: 'ok' }, 3)
    metrics.abciSeconds.observe({ method: 'CheckTx' }, 0.0001)
    const server = await serveMetrics({ metrics, host: '127.0.0.1', port: 0 })
    const response = await fetch(`http://127.0.0.1:${server.port}/metrics`)
    const text = await response.text()
    expect(response.headers.get('content-type')).to.include('text/plain')
    expect(text).to.include('\nfornax_height 42\n')
    expect(text).to.include('fornax_txs_total{result="ok"} 3')
    expect(text).to.include('fornax_abci_seconds_bucket{le="0.0002",method="CheckTx"} 1')
    expect(text).to.include('process_resident_memory_bytes')
    expect((await fetch(`http://127.0.0.1:${server.port}/`)).status).to.equal(404)
    await server.close()
  })

  it('stand in docs/metrics.md, with their labels, all of them and no other', () => {
    const { registry } = createMetrics({ processMetrics: false })
    const names = registry.getMetricsAsArray().map((metric) => {
      const { name, labelNames } = metric as unknown as { name: string; labelNames: readonly string[] }
      return labelNames.length === 0 ? name : `${name}{${labelNames.join(',')}}`
    })
    const rows = readFileSync('docs/metrics.md', 'utf8').matchAll(/^\| `(fornax_[^`]+)`/gm)
    expect([...rows].map(([, name]) => name)).to.have.members(names)
  })
})

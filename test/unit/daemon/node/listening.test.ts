import { createServer } from 'node:net'
import { expect } from 'chai'
import { ConfigError } from '../../../../daemon/config/file.ts'
import { createMetrics, serveMetrics } from '../../../../daemon/metrics.ts'
import { listening } from '../../../../daemon/node/listening.ts'

describe('an address to listen on', () => {
  const metrics = createMetrics({ processMetrics: false })
  const refusal = (address: { host: string; port: number }): Promise<unknown> =>
    listening('metrics.address', address, () => serveMetrics({ metrics, ...address })).then(
      (server) => server.close(),
      (error) => error,
    )

  it('is refused with its setting where another program listens there', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as { port: number }
    const error = await refusal({ host: '127.0.0.1', port })
    expect(error).to.be.instanceOf(ConfigError)
    expect((error as Error).message).to.equal(
      `metrics.address: cannot listen on 127.0.0.1:${port}: another program listens there`,
    )
    other.close()
  })

  it('is refused with its setting where this machine does not have it', async () => {
    const error = await refusal({ host: '192.0.2.1', port: 1 })
    expect((error as Error).message).to.equal(
      'metrics.address: cannot listen on 192.0.2.1:1: this machine has no such address',
    )
  })

  it('is taken where it is free', async () => {
    expect(await refusal({ host: '127.0.0.1', port: 0 })).to.equal(undefined)
  })
})

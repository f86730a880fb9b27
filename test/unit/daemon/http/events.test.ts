import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { BlockResults } from '../../../../daemon/client/rpc.ts'
import { eventsOf } from '../../../../daemon/http/events/event-feed.ts'
import { readCursor, streamEvents } from '../../../../daemon/http/events/event-stream.ts'
import { eventually } from '../../../kit/eventually.ts'
import { EventSourceClient } from '../../../kit/http/event-source.ts'

const event = (type: string, attributes: Record<string, string> = {}) => ({
  type,
  attributes: Object.entries(attributes).map(([key, value]) => ({ key, value, index: true })),
})

const [BAN, BAN_MARK, PENALTY, ROUND] = [
  'fornax.agents.v1.EventBan',
  'fornax.agents.v1.EventBanMark',
  'fornax.agents.v1.EventPenalty',
  'fornax.agents.v1.EventConsensusRound',
] as const

describe('streamed events', () => {
  it('are those of the agents, in the order of the block, numbered among all its events', () => {
    const results = {
      txs_results: [
        { events: null },
        {
          events: [
            event('tx', { fee: '1' }),
            event(BAN_MARK, { issuer: '"b"', node: '"a"', msg_index: '0' }),
          ],
        },
        { events: [event('fornax.classifier.v1.EventMetricsSubmitted', { validator: '"a"' })] },
      ],
      finalize_block_events: [
        event(ROUND, { agreeing: '2', degraded: 'true', disagreeing: '["a"]', mode: 'BeginBlock' }),
        event('mint', { mode: 'BeginBlock' }),
        event(PENALTY, { node: '"a"', mode: 'EndBlock' }),
        event(BAN, { node: '"a"', mode: 'EndBlock' }),
      ],
    } as unknown as BlockResults
    expect(eventsOf(7, results)).to.deep.equal([
      { height: 7, index: 0, type: ROUND, attributes: { agreeing: 2, degraded: true, disagreeing: ['a'] } },
      { height: 7, index: 3, type: BAN_MARK, attributes: { node: 'a', issuer: 'b' } },
      { height: 7, index: 5, type: PENALTY, attributes: { node: 'a' } },
      { height: 7, index: 6, type: BAN, attributes: { node: 'a' } },
    ])
    const empty = { txs_results: null, finalize_block_events: null } as BlockResults
    expect(eventsOf(7, empty)).to.deep.equal([])
  })

  it('wait for a client that reads slowly, and cut off one that does not read', async () => {
    const attributes = { text: 'x'.repeat(100_000) }
    let read = 0
    const feed = {
      head: 10_000,
      oldest: 1,
      async at(height: number) {
        read = height
        return [{ height, index: 0, type: BAN, attributes }]
      },
      reach: () => new Promise<void>(() => {}),
    }
    let closed = false
    const server = createServer((_, response) => {
      response.once('close', () => {
        closed = true
      })
      void streamEvents(response, { feed, after: { height: 0, index: 0 }, patienceMs: 300 })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const client = new EventSourceClient(`http://127.0.0.1:${port}/`, {}, { reads: false })
    try {
      await eventually('the end of patience', () => closed)
      expect(read).to.be.lessThan(1_000)
    } finally {
      client.close()
      server.close()
    }
  })

  it('have ids that read back, and nothing else does', () => {
    expect(readCursor('12-3')).to.deep.equal({ height: 12, index: 3 })
    expect(readCursor('12-end')).to.include({ height: 12 })
    for (const id of [
      '',
      '12',
      '-1-2',
      '12-',
      '12-3-4',
      '1e3-1',
      ' 1-1',
      `${'9'.repeat(16)}-1`,
      '1-999999999999',
    ])
      expect(readCursor(id), id).to.equal(undefined)
  })
})

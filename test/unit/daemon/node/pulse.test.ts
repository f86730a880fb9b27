import { expect } from 'chai'
import { Pulse } from '../../../../daemon/node/pulse.ts'
import { recordingLog } from '../../../kit/abci/handler.ts'

describe('The pulse of a node', () => {
  /** A pulse with a clock of its own, and what it wrote. */
  function pulseOf(slotMs: number, nameOf = (proposer: Uint8Array) => `node${proposer[0]}`) {
    const log = recordingLog()
    let ms = 0
    let height = 0
    const pulse = new Pulse({ log, slotMs, nameOf, now: () => ms })
    /** A block that comes so many milliseconds after the last. */
    const block = (after: number, txs = 0, penalties: string[] = []): void => {
      ms += after
      height++
      const time = { seconds: 1_800_000_000n + BigInt(height), nanos: 7_654_321 }
      pulse.decided({ height, txs, time, proposer: Uint8Array.of(height % 4), penalties })
      pulse.committed(height)
    }
    const lines = () => log.lines.map(({ message, fields }) => ({ message, ...fields }))
    return { pulse, block, lines, log }
  }

  it('is a line for each block of a slow chain', () => {
    const { pulse, block, lines } = pulseOf(5000)
    pulse.phase = 'deciding'
    block(5000, 3)
    block(5000, 0, ['Moderate', 'Heavy', 'Moderate'])
    expect(lines()).to.deep.equal([
      { message: 'block', height: 1, txs: 3, proposer: 'node1', blockTime: '2027-01-15T08:00:01.007Z' },
      {
        message: 'block',
        height: 2,
        txs: 0,
        proposer: 'node2',
        penalties: '2 Moderate, 1 Heavy',
        blockTime: '2027-01-15T08:00:02.007Z',
      },
    ])
  })

  it('is a line in five seconds for all blocks of a fast one', () => {
    const { pulse, block, lines } = pulseOf(100)
    pulse.phase = 'deciding'
    for (let i = 0; i < 120; i++) block(100, 2)
    expect(lines()).to.deep.equal([
      {
        message: 'blocks',
        height: 50,
        blocks: 50,
        txs: 100,
        proposer: 'node2',
        blockTime: '2027-01-15T08:00:50.007Z',
      },
      {
        message: 'blocks',
        height: 100,
        blocks: 50,
        txs: 100,
        proposer: 'node0',
        blockTime: '2027-01-15T08:01:40.007Z',
      },
    ])
  })

  it('tells how far it is while it catches up, and when it is in step', () => {
    const { pulse, block, lines } = pulseOf(5000)
    pulse.phase = 'syncing'
    pulse.target = 500
    for (let i = 0; i < 200; i++) block(50)
    pulse.phase = 'deciding'
    block(5000)
    block(5000, 1)
    expect(lines().map(({ blockTime: _, ...line }: Record<string, unknown>) => line)).to.deep.equal([
      {
        message: 'catching up with the network',
        height: 100,
        target: 500,
        remaining: 400,
        blocksPerSecond: 20,
      },
      {
        message: 'catching up with the network',
        height: 200,
        target: 500,
        remaining: 300,
        blocksPerSecond: 20,
      },
      { message: 'in step with the network', height: 201 },
      { message: 'block', height: 202, txs: 1, proposer: 'node2' },
    ])
  })

  it('tells of a replay up to the height that CometBFT has', () => {
    const { pulse, block, lines } = pulseOf(5000)
    pulse.phase = 'starting'
    pulse.target = 60
    for (let i = 0; i < 59; i++) block(100)
    block(100)
    expect(lines().map(({ message }) => message)).to.deep.equal([
      'replaying blocks',
      'all blocks that were here are replayed',
    ])
    const { block: first, lines: told } = pulseOf(5000)
    first(5000)
    expect(told()[0]?.message).to.equal('block')
  })

  it('never throws, whatever it cannot know', () => {
    const { pulse, block, log } = pulseOf(5000, () => {
      throw new Error('closed')
    })
    pulse.phase = 'deciding'
    block(5000)
    pulse.committed(99)
    expect(log.lines.map(({ level }) => level)).to.deep.equal(['warn'])
  })
})

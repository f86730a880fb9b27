import { expect } from 'chai'
import { COMETBFT, TooManyReads } from '../../../daemon/read-queue.ts'
import { Reads } from '../../../daemon/read-turns.ts'

const refused = (read: Promise<unknown>): Promise<string> =>
  read.then(
    () => 'answered',
    (error) => (error instanceof TooManyReads ? error.whose : String(error)),
  )

describe('reads', () => {
  let time = 0
  let pauses: number[] = []
  let order: string[] = []
  const reads = () =>
    new Reads({
      now: () => time,
      wait: (ms) => {
        if (ms > 0) pauses.push(Math.round(ms))
        time += ms
        return new Promise((resolve) => setImmediate(resolve))
      },
    })
  /** A read that takes `ms` of the thread. */
  const taking =
    (ms: number, name = '') =>
    () => {
      time += ms
      order.push(name)
      return name
    }
  beforeEach(() => {
    time = 0
    pauses = []
    order = []
  })

  it('answer what they read, also where that is an error', async () => {
    const gate = reads()
    expect(await gate.run('a', () => 1)).to.equal(1)
    expect(await gate.run('a', () => Promise.resolve(2))).to.equal(2)
    expect(await refused(gate.run('a', () => Promise.reject(new Error('no'))))).to.equal('Error: no')
    expect(
      await refused(
        gate.run('a', () => {
          throw new Error('never')
        }),
      ),
    ).to.equal('Error: never')
    expect(await gate.run('a', () => 3)).to.equal(3)
  })

  it('run one at a time, the clients in turns', async () => {
    const gate = reads()
    await Promise.all([
      ...['a1', 'a2', 'a3'].map((name) => gate.run('a', taking(1, name))),
      ...['b1', 'b2'].map((name) => gate.run('b', taking(1, name))),
      gate.run('c', taking(1, 'c1')),
    ])
    expect(order).to.deep.equal(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
  })

  it('take half of the thread at most, but for a first burst', async () => {
    const gate = reads()
    await Promise.all(Array.from({ length: 40 }, () => gate.run('a', taking(50))))
    expect(pauses.reduce((sum, ms) => sum + ms, 0)).to.be.within(1700, 2000)
    expect(Math.max(...pauses)).to.be.at.most(100)
  })

  it('do not pay for waiting on others', async () => {
    const gate = reads()
    const far = gate.run('a', async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      time += 10_000
      return 'far'
    })
    expect(await gate.run('b', taking(1, 'near'))).to.equal('near')
    expect(await far).to.equal('far')
    expect(pauses).to.deep.equal([])
  })

  it('that wait for CometBFT are two of a client and eight in all at once, and keep nobody else from reading', async () => {
    const gate = reads()
    let underWay = 0
    let most = 0
    const far = async (): Promise<void> => {
      most = Math.max(most, ++underWay)
      await new Promise((resolve) => setTimeout(resolve, 5))
      underWay--
    }
    const greedy = Array.from({ length: 20 }, () => gate.run('a', far, 'far'))
    await new Promise((resolve) => setTimeout(resolve, 2))
    expect(await gate.run('b', taking(1, 'near'))).to.equal('near')
    expect(most).to.equal(2)
    await Promise.all(greedy)
    await Promise.all(Array.from({ length: 60 }, (_, i) => gate.run(`client ${i}`, far, 'far')))
    expect([most, underWay]).to.deep.equal([8, 0])
  })

  it('are refused where a client or all of them wait for too many', async () => {
    const gate = reads()
    const of = (client: string) => refused(gate.run(client, taking(1)))
    const flood = Array.from({ length: 60 }, () => of('a'))
    const other = of('b')
    const answers = await Promise.all(flood)
    expect(answers.filter((answer) => answer === 'client')).to.have.length(10)
    expect(await other).to.equal('answered')
    const many = await Promise.all(Array.from({ length: 300 }, (_, i) => of(`client ${i}`)))
    expect(many.filter((answer) => answer === 'all')).to.have.length.within(99, 100)
    expect(await of('a')).to.equal('answered')
  })

  it('that need this process alone do not wait for those that wait for CometBFT', async () => {
    const gate = reads()
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const slow = Array.from({ length: 5 }, (_, i) =>
      Array.from({ length: 50 }, () => refused(gate.run(`greedy ${i}`, () => released, 'far'))),
    ).flat()
    const own = ['newcomer', 'greedy 0'].map((client) => refused(gate.run(client, taking(1))))
    expect(await Promise.all(own)).to.deep.equal(['answered', 'answered'])
    const newcomer = refused(gate.run('newcomer', () => released, 'far'))
    release()
    expect(await newcomer).to.equal('answered')
    const answers = await Promise.all(slow)
    expect(answers.filter((answer) => answer === 'answered')).to.have.length(199)
  })

  it('of a newcomer get the place of the newest of who holds the most', async () => {
    const gate = reads()
    const of = (client: string, name: string) => refused(gate.run(client, taking(1, name)))
    const greedy = Array.from({ length: 4 }, (_, c) =>
      Array.from({ length: 50 }, (_, i) => of(`greedy ${c}`, `${c} ${i}`)),
    )
    const newcomers = Array.from({ length: 100 }, (_, i) => of(`newcomer ${i}`, 'new'))
    expect(await Promise.all(newcomers)).to.deep.equal(Array(100).fill('answered'))
    for (const answers of greedy) {
      const own = await Promise.all(answers)
      expect(own.filter((answer) => answer === 'answered')).to.have.length.within(24, 26)
      expect(own.slice(0, 24)).to.deep.equal(Array(24).fill('answered'))
    }
  })

  it('of CometBFT, which asks for everybody, have every other turn and are refused for nobody', async () => {
    const gate = reads()
    const crowd = Array.from({ length: 250 }, (_, i) => refused(gate.run(`client ${i}`, taking(1, 'other'))))
    for (let i = 0; i < 3; i++) await gate.run(COMETBFT, taking(1, 'CometBFT'))
    expect(order.filter((name) => name === 'other')).to.have.length.within(2, 5)
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const slow = Array.from({ length: 20 }, (_, i) => gate.run(`far ${i}`, () => released, 'far'))
    expect(await gate.run(COMETBFT, taking(1, 'CometBFT'), 'far')).to.equal('CometBFT')
    release()
    await Promise.all([...slow, ...crowd])
  })
})

import { expect } from 'chai'
import { createLog } from '../../../../daemon/log.ts'
import { Lifecycle } from '../../../../daemon/node/lifecycle.ts'

describe('the parts of a process', () => {
  const quiet = createLog({ level: 'silent' })
  let parts: Lifecycle
  let stopped: string[]
  beforeEach(() => {
    parts = new Lifecycle(quiet)
    stopped = []
  })
  const stop = (part: string): void => void stopped.push(part)

  it('stop in the reverse order of their start, all of them even where one fails', async () => {
    for (const name of ['a', 'b', 'c'])
      await parts.start(name, {
        begin: () => name,
        stop: (part) => {
          stop(part)
          if (part === 'b') throw new Error('b does not stop')
        },
      })
    await Promise.all([parts.stop(), parts.stop()])
    expect(stopped).to.deep.equal(['c', 'b', 'a'])
    expect(parts.left).to.deep.equal([])
  })

  it('are stopped when a later one does not start', async () => {
    await parts.start('a', { begin: () => 'a', stop })
    const failed = await parts
      .start('b', { begin: () => Promise.reject(new Error('no')) })
      .catch((e: Error) => e.message)
    expect([failed, ...stopped]).to.deep.equal(['no', 'a'])
  })

  it('that take too long to stop are left, and told of', async () => {
    await parts.start('a', { begin: () => 'a', stop })
    await parts.start('b', { begin: () => 'b', stop: () => new Promise(() => {}), patienceMs: 10 })
    await parts.stop()
    expect(stopped).to.deep.equal(['a'])
    expect(parts.left).to.deep.equal(['b'])
  })

  it('that begin while all are stopped are told so, and stopped when they have begun; none begins after that', async () => {
    await parts.start('a', { begin: () => 'a', stop })
    let isTold = false
    const beginning = parts
      .start('b', {
        begin: async (signal) => {
          await new Promise((resolve) => setTimeout(resolve, 20))
          isTold = signal.aborted
          return 'b'
        },
        stop,
      })
      .catch((e: Error) => e.message)
    await parts.stop()
    expect(stopped).to.deep.equal(['b', 'a'])
    expect([isTold, await beginning]).to.deep.equal([true, 'the process is stopped'])
    const next = parts.start('c', { begin: () => stop('c') }).catch((e: Error) => e.message)
    expect(await next).to.equal('the process is stopped')
    expect(stopped).to.deep.equal(['b', 'a'])
  })
})

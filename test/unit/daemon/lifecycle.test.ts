import { expect } from 'chai'
import { Lifecycle } from '../../../daemon/lifecycle.ts'
import { createLog } from '../../../daemon/log.ts'

describe('the parts of a process', () => {
  const quiet = createLog({ level: 'silent' })

  it('stop in the reverse order of their start, all of them even where one fails', async () => {
    const parts = new Lifecycle(quiet)
    const stopped: string[] = []
    for (const name of ['a', 'b', 'c'])
      await parts.start(
        name,
        () => name,
        (part) => {
          stopped.push(part)
          if (part === 'b') throw new Error('b does not stop')
        },
      )
    await Promise.all([parts.stop(), parts.stop()])
    expect(stopped).to.deep.equal(['c', 'b', 'a'])
  })

  it('are stopped when a later one does not start', async () => {
    const parts = new Lifecycle(quiet)
    let stopped = false
    await parts.start(
      'a',
      () => 1,
      () => void (stopped = true),
    )
    const failed = await parts
      .start(
        'b',
        () => Promise.reject(new Error('no')),
        () => {},
      )
      .catch((e: Error) => e.message)
    expect([failed, stopped]).to.deep.equal(['no', true])
  })
})

import { expect } from 'chai'
import { pauses } from '../../../../daemon/app/pauses.ts'

describe('a long block', () => {
  it('pauses every 10 ms, until what waited has been done', async () => {
    let now = 0
    const done: string[] = []
    const pause = pauses(() => now)
    for (let i = 0; i < 6; i++) {
      if (i === 3) setImmediate(() => done.push('read'))
      const waiting = pause()
      if (waiting !== undefined) {
        done.push('pause')
        await waiting
      }
      done.push(`tx ${i}`)
      now += 4
    }
    expect(done).to.deep.equal(['tx 0', 'tx 1', 'tx 2', 'pause', 'read', 'tx 3', 'tx 4', 'tx 5'])
  })
})

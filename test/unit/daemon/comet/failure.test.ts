import { expect } from 'chai'
import { causeIn, isLasting } from '../../../../daemon/comet/failure.ts'

describe('Why CometBFT ended', () => {
  it('is what it said last before a stack trace', () => {
    const lines = [
      '{"_msg":"Starting","level":"info"}',
      'ERROR: failed to create node: app block height (7) is higher than core (0)',
      'goroutine 1 [running]:',
      'main.main()',
      '\tcmd/cometbft/main.go:43',
    ]
    expect(causeIn(lines)).to.equal('failed to create node: app block height (7) is higher than core (0)')
    expect(causeIn(['panic: one', 'panic: two', 'goroutine 1 [running]:'])).to.equal('two')
    expect(causeIn(['goroutine 1 [running]:', '{"_msg":"x"}'])).to.equal(undefined)
    expect(causeIn([`panic: ${'x'.repeat(10_000)}`])).to.have.length(400)
  })

  it('lasts where no further start mends it', () => {
    for (const cause of [
      'listen tcp 127.0.0.1:26657: bind: address already in use',
      'open /h/data/cs.wal/wal: no space left on device',
      'open /h/config/config.toml: permission denied',
      'app block height (7) is higher than core (0)',
    ])
      expect(isLasting(cause), cause).to.equal(true)
    for (const cause of ['exited with code 1', 'ended by SIGKILL', 'its consensus routine has panicked'])
      expect(isLasting(cause), cause).to.equal(false)
  })
})

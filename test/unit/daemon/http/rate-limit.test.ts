import { expect } from 'chai'
import { networkOf, RateLimit } from '../../../../daemon/http/rate-limit.ts'

describe('a rate limit', () => {
  it('gives a second’s worth at once, and then as time goes by', () => {
    let now = 0
    const limit = new RateLimit(20, () => now)
    for (let i = 0; i < 20; i++) expect(limit.take('10.0.0.1')).to.equal(0)
    expect(limit.take('10.0.0.1')).to.be.closeTo(0.05, 1e-9)
    now += 100
    expect([limit.take('10.0.0.1'), limit.take('10.0.0.1')]).to.deep.equal([0, 0])
    expect(limit.take('10.0.0.1')).to.be.greaterThan(0)
    now += 60_000
    for (let i = 0; i < 20; i++) expect(limit.take('10.0.0.1')).to.equal(0)
    expect(limit.take('10.0.0.1')).to.be.greaterThan(0)
  })

  it('keeps clients apart, but not the addresses of one host', () => {
    const limit = new RateLimit(1, () => 0)
    expect(limit.take('10.0.0.1')).to.equal(0)
    expect(limit.take('10.0.0.2')).to.equal(0)
    expect(limit.take('2001:db8:1:2::1')).to.equal(0)
    expect(limit.take('2001:db8:1:2:3:4:5:6')).to.be.greaterThan(0)
    expect(limit.take('2001:db8:1:3::1')).to.equal(0)
    expect(limit.take('::ffff:10.0.0.1')).to.be.greaterThan(0)
  })

  it('names the network of an address', () => {
    expect(networkOf('127.0.0.1')).to.equal('127.0.0.1')
    expect(networkOf('::ffff:127.0.0.1')).to.equal('127.0.0.1')
    expect(networkOf('::1')).to.equal('0:0:0:0')
    expect(networkOf('fe80::1%eth0')).to.equal('fe80:0:0:0')
    expect(networkOf('2001:0DB8::')).to.equal('2001:db8:0:0')
  })
})

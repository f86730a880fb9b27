import { expect } from 'chai'
import { listenAddress, localUrl, prices } from '../../../../daemon/config/kinds.ts'

describe('An address to listen on', () => {
  it('is reached from this machine, though it be all of its addresses', () => {
    const urls = ['127.0.0.1:1317', '[::1]:1317', '0.0.0.0:1317', '[::]:1317', 'node.example:1317'].map(
      (text) => localUrl(listenAddress.parse(text)!),
    )
    expect(urls).to.deep.equal([
      'http://127.0.0.1:1317',
      'http://[::1]:1317',
      'http://127.0.0.1:1317',
      'http://[::1]:1317',
      'http://node.example:1317',
    ])
  })
})

describe('A price', () => {
  it('is an amount in the smallest unit, also where FRX are meant', () => {
    const amounts = (text: string) => prices.parse(text)?.map(({ amount }) => amount)
    expect(amounts('0.000000001frx')).to.deep.equal([1_000_000_000n])
    expect(amounts('10FRX, 5uatom')).to.deep.equal([10n ** 19n, 5n])
    for (const text of ['0.0000000000000000001frx', '1.5afrx', '1.frx', '1frx,2afrx'])
      expect(amounts(text), text).to.equal(undefined)
    expect(prices.render(prices.parse('1.5frx')!)).to.equal('"1500000000000000000afrx"')
  })
})

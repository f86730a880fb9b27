import { expect } from 'chai'
import { listenAddress, localUrl } from '../../../../daemon/config/kinds.ts'

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

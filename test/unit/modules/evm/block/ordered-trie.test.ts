import { expect } from 'chai'
import { toHex, utf8 } from '../../../../../core/bytes.ts'
import { orderedTrieRoot } from '../../../../../modules/evm/block/ordered-trie.ts'

const rootOf = (count: number): string =>
  toHex(orderedTrieRoot(Array.from({ length: count }, (_, i) => utf8(`value ${i}`))))

describe('An ordered trie', () => {
  it('of nothing has the root that empty blocks have', () => {
    expect(rootOf(0)).to.equal('56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')
  })

  it('of very many values has the root that @ethereumjs/mpt 10.1.3 came to', () => {
    expect(rootOf(1000)).to.equal('1ccad6a67da06037d948fef4dea32a678c874de238ea0439ff77911490737c9b')
    expect(rootOf(65_536)).to.equal('db4139487d7de6cf750fb3bc505f2462ed0f8317d55f277a7ab61d9f111bfd62')
    expect(rootOf(65_537)).to.equal('65b6b05d6e14a56b0632dcb084354d53bd3435c78dfe6d99b8b63e8acdd394e0')
    expect(rootOf(100_000)).to.equal('30c6ee5c43480831674c397e902ac47e06800cd7bc91adcdf14a51fa0301d6ce')
  }).timeout(20_000)
})

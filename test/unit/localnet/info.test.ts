import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { formatAddress } from '../../../core/address.ts'
import { readInfo } from '../../../localnet/info.ts'
import { tempDir } from '../../kit/temp-dir.ts'

describe('The facts of a local network', () => {
  it('that was made when there was one kind of key tell the kind and both forms of its addresses', () => {
    const dir = tempDir()
    try {
      const address = formatAddress(new Uint8Array(20).fill(7))
      const accounts = [{ name: 'alice', address, mnemonic: 'some words' }]
      writeFileSync(
        join(dir.path, 'info.json'),
        JSON.stringify({ chain_id: 'fornax-1', nodes: [], accounts }),
      )
      expect(readInfo(dir.path)?.accounts).to.deep.equal([
        { ...accounts[0], key_type: 'secp256k1', evm_address: `0x${'07'.repeat(20)}` },
      ])
    } finally {
      dir.remove()
    }
  })
})

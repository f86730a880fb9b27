import { expect } from 'chai'
import type { CometRpc, TxJson } from '../../../../daemon/client/rpc.ts'
import { blockTimes } from '../../../../daemon/services/tx-response.ts'

describe('times of blocks', () => {
  it('are asked for once by who searches again and again, and apart for each CometBFT', async () => {
    const asked: bigint[] = []
    const rpcOf = (year: number): CometRpc =>
      ({
        block: async (height: bigint) => {
          asked.push(height)
          return { block: { header: { time: `${year}, block ${height}` } } }
        },
      }) as unknown as CometRpc
    const txs = ['5', '6', '5'].map((height) => ({ height }) as TxJson)
    const rpc = rpcOf(2026)
    for (let i = 0; i < 3; i++)
      expect([...(await blockTimes(rpc, txs))]).to.deep.equal([
        ['5', '2026, block 5'],
        ['6', '2026, block 6'],
      ])
    expect(asked).to.deep.equal([5n, 6n])
    expect((await blockTimes(rpcOf(2027), txs)).get('5')).to.equal('2027, block 5')
  })
})

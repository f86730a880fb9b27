import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { ChainError } from '../../../../core/error.ts'
import { cometRpc, RpcError, RpcUnavailable } from '../../../../daemon/client/rpc.ts'
import { broadcastResponse } from '../../../../daemon/services/tx-response.ts'

const tx = Uint8Array.of(1, 2, 3)
const refusing = (error: Error) => ({
  ...cometRpc('http://127.0.0.1:1'),
  broadcastTxSync: () => Promise.reject(error),
})
const ofComet = (data: string) => refusing(new RpcError('broadcast_tx_sync', -32_603, 'Internal error', data))

describe('the answer to a broadcast', () => {
  it('has the SDK’s codes where CometBFT’s mempool refuses the transaction', async () => {
    for (const [text, code] of [
      ['tx already exists in cache', 19],
      ['mempool is full: number of txs 5000 (max: 5000), total txs bytes 9 (max: 9)', 20],
      ['Tx too large. Max size is 1048576, but got 1048577', 21],
    ] as const) {
      const answer = await broadcastResponse(ofComet(text), tx)
      expect(answer).to.deep.include({ codespace: 'sdk', code, data: '', height: 0n, gasUsed: 0n })
      expect(answer.rawLog).not.to.equal('')
      expect(answer.txhash).to.equal(createHash('sha256').update(tx).digest('hex').toUpperCase())
    }
  })

  it('is none where CometBFT fails', async () => {
    for (const [rpc, kind] of [
      [ofComet('something else'), RpcError],
      [ofComet('transaction indexing is disabled'), ChainError],
      [refusing(new RpcUnavailable('down')), RpcUnavailable],
    ] as const) {
      const thrown = await broadcastResponse(rpc, tx).catch((error: unknown) => error)
      expect(thrown).to.be.instanceOf(kind)
    }
  })
})

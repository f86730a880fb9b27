import { Unreadable } from '../../../../core/error.ts'
import { decodeEthereumTx, EVM_CHAIN_ID, isEthereumTx } from '../../../../modules/evm/api.ts'
import type { CometRpc } from '../../../client/rpc.ts'
import { encodeData } from '../data.ts'
import { codes, JsonRpcError } from '../errors.ts'
import { type Methods, method } from '../method.ts'
import { data } from '../params.ts'

/** CometBFT's words for a transaction that its mempool has. */
const KNOWN = /tx already exists in cache/

/** Takes signed transactions into the mempool, as the node's own CheckTx takes them. */
export const sendMethods = (rpc: Pick<CometRpc, 'broadcastTxSync'>, isHalted: () => boolean): Methods => ({
  eth_sendRawTransaction: method([data()], async (_, bytes) => {
    if (isHalted()) throw new JsonRpcError(codes.refused, 'chain halted')
    const hash = hashOf(bytes)
    try {
      const { code, log } = await rpc.broadcastTxSync(bytes)
      if (code !== 0) throw new JsonRpcError(codes.refused, log)
    } catch (error) {
      if (error instanceof Error && KNOWN.test(error.message))
        throw new JsonRpcError(codes.refused, 'already known')
      throw error
    }
    return encodeData(hash)
  }),
})

function hashOf(bytes: Uint8Array): Uint8Array {
  if (!isEthereumTx(bytes))
    throw new JsonRpcError(codes.refused, 'typed transaction too short, or no transaction')
  try {
    return decodeEthereumTx(bytes, EVM_CHAIN_ID).hash
  } catch (error) {
    if (error instanceof Unreadable) throw new JsonRpcError(codes.refused, error.message)
    throw error
  }
}

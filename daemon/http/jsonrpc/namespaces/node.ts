import { keccak256 } from '../../../../core/crypto/keccak.ts'
import type { CometRpc } from '../../../client/rpc.ts'
import type { EthBlocks } from '../../../index/eth-blocks.ts'
import { encodeData } from '../data.ts'
import { type Methods, method } from '../method.ts'
import { data } from '../params.ts'
import { encodeQuantity } from '../quantity.ts'

/** What the node says of itself. It holds no keys for Ethereum's wallets. */
export const nodeMethods = (rpc: Pick<CometRpc, 'status' | 'peerCount'>, blocks: EthBlocks): Methods => ({
  eth_accounts: method([], () => []),
  eth_mining: method([], () => false),
  eth_hashrate: method([], () => '0x0'),
  eth_protocolVersion: method([], () => '0x44'),
  eth_syncing: method(
    [],
    async () => {
      const { sync_info: sync } = await rpc.status()
      if (!sync.catching_up) return false
      return {
        startingBlock: '0x0',
        currentBlock: encodeQuantity(blocks.latest),
        highestBlock: encodeQuantity(BigInt(sync.latest_block_height)),
      }
    },
    'far',
  ),
  net_listening: method([], () => true),
  net_peerCount: method([], async () => encodeQuantity(await rpc.peerCount()), 'far'),
  web3_sha3: method([data()], (_, bytes) => encodeData(keccak256(bytes))),
})

import * as types from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import { fromHex, NO_BYTES } from '../../core/bytes.ts'
import { timestampOf } from '../../core/time.ts'
import { nodeQueries, refusals } from './service.ts'

export const nodeService = nodeQueries<types.Service>(
  'cosmos.base.node.v1beta1.Service',
  types,
  {
    Config: ({ facts }) => ({
      minimumGasPrice: facts.minimumGasPrices,
      pruningKeepRecent: `${facts.pruning?.keepRecent ?? 0}`,
      pruningInterval: `${facts.pruning?.interval ?? 0}`,
      haltHeight: 0n,
    }),
    async Status({ chain, rpc }) {
      const { store, lastBlock } = chain
      const height = BigInt(store.height)
      const { block } = await refusals(rpc.block(height === 0n ? undefined : height))
      return {
        earliestStoreHeight: BigInt(store.earliestHeight),
        height,
        timestamp: timestampOf(lastBlock.timeNs),
        appHash: height === 0n ? NO_BYTES : store.appHash,
        validatorHash: fromHex(block.header.validators_hash),
      }
    },
  },
  { Config: 'near' },
)

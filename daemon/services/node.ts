import * as query from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import { fromHex } from '../../core/bytes.ts'
import { timestampOf } from '../../core/time.ts'
import type { ServiceMethod } from '../app/router.ts'
import { refusals, type ServedNode, serviceMethods } from './service.ts'

export function nodeService({ chain, rpc, facts }: ServedNode): ServiceMethod[] {
  return serviceMethods<query.Service>(
    'cosmos.base.node.v1beta1.Service',
    query,
    {
      Config: () => ({
        minimumGasPrice: facts.minimumGasPrices,
        pruningKeepRecent: `${facts.pruning?.keepRecent ?? 0}`,
        pruningInterval: `${facts.pruning?.interval ?? 0}`,
        haltHeight: 0n,
      }),
      async Status() {
        const { store, lastBlock } = chain
        const height = BigInt(store.height)
        const { block } = await refusals(rpc.block(height === 0n ? undefined : height))
        return {
          earliestStoreHeight: BigInt(store.earliestHeight),
          height,
          timestamp: timestampOf(lastBlock.timeNs),
          appHash: height === 0n ? new Uint8Array(0) : store.appHash,
          validatorHash: fromHex(block.header.validators_hash),
        }
      },
    },
    { Config: 'near' },
  )
}

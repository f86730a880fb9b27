import type { ResponseInfo } from 'cosmjs-types/tendermint/abci/types'
import { NO_BYTES } from '../../core/bytes.ts'
import type { Chain } from './chain.ts'

/** The last committed block: where CometBFT's replay begins after a restart. */
export function info({ store, version }: Chain): ResponseInfo {
  return {
    data: 'fornax',
    version,
    appVersion: 1n,
    lastBlockHeight: BigInt(store.height),
    lastBlockAppHash: store.height === 0 ? NO_BYTES : store.appHash,
  }
}

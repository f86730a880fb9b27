import type { BlockID } from 'cosmjs-types/tendermint/types/types'
import { fromHex } from '../../core/bytes.ts'
import type { BlockIdJson } from '../client/rpc.ts'

export const blockId = ({ hash, parts }: BlockIdJson): BlockID => ({
  hash: fromHex(hash),
  partSetHeader: { total: parts.total, hash: fromHex(parts.hash) },
})

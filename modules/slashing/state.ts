import { Params, ValidatorSigningInfo } from 'cosmjs-types/cosmos/slashing/v1beta1/slashing'
import {
  addressKey,
  bytesValue,
  collections,
  pair,
  protoValue,
  remembering,
  uint64Key,
} from '../../core/collections.ts'

export const STORE = 'slashing'
const s = collections(STORE)

export const params = s.item(0x00, remembering(protoValue(Params)))
/** By consensus address. */
export const signingInfos = s.map(0x01, addressKey, protoValue(ValidatorSigningInfo))
/** Bitmaps of missed blocks by consensus address and number of the chunk. */
export const missedBlocks = s.map(0x02, pair(addressKey, uint64Key), bytesValue)

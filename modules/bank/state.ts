import { Metadata, Params } from 'cosmjs-types/cosmos/bank/v1beta1/bank'
import {
  addressKey,
  boolValue,
  collections,
  intValue,
  pair,
  presence,
  protoValue,
  textKey,
} from '../../core/collections.ts'

export const STORE = 'bank'
const s = collections(STORE)

export const supply = s.map(0x00, textKey, intValue)
export const metadata = s.map(0x01, textKey, protoValue(Metadata))
/** Positive balances by owner and denomination. */
export const balances = s.map(0x02, pair(addressKey, textKey), intValue)
/** Who holds a denomination. */
export const owners = s.map(0x03, pair(textKey, addressKey), presence)
export const sendEnabled = s.map(0x04, textKey, boolValue)
export const params = s.item(0x05, protoValue(Params))

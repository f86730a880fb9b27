import { Params } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import {
  addressKey,
  addressValue,
  collections,
  protoValue,
  remembering,
  textKey,
  uint64Key,
  uint64Value,
} from '../../core/collections.ts'
import { accountCodec } from './account.ts'

export const STORE = 'acc'
const s = collections(STORE)

export const params = s.item(0x00, remembering(protoValue(Params)))
/** BaseAccount or ModuleAccount by address. */
export const accounts = s.map(0x01, addressKey, remembering(accountCodec))
export const nextAccountNumber = s.item(0x02, uint64Value)
export const addressByNumber = s.map(0x03, uint64Key, addressValue)
/** Addresses of modules' accounts by the modules' names. */
export const moduleAccounts = s.map(0x04, textKey, addressValue)

import { Delegation, Params, Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { addressKey, addressValue, collections, intValue, pair, protoValue } from '../../core/collections.ts'

export const STORE = 'staking'
const s = collections(STORE)

/** Powers that CometBFT was last told, by operator. */
export const lastPowers = s.map(0x11, addressKey, intValue)
/** By operator. */
export const validators = s.map(0x21, addressKey, protoValue(Validator))
/** Operator by consensus address. */
export const byConsensusAddress = s.map(0x22, addressKey, addressValue)
/** By delegator and operator. */
export const delegations = s.map(0x31, pair(addressKey, addressKey), protoValue(Delegation))
export const params = s.item(0x51, protoValue(Params))

import {
  Delegation,
  DVPair,
  DVVTriplet,
  HistoricalInfo,
  Params,
  Redelegation,
  UnbondingDelegation,
  Validator,
} from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { type Address, checkAddress } from '../../core/address.ts'
import { concatBytes } from '../../core/bytes.ts'
import {
  addressKey,
  addressValue,
  boolValue,
  bytesKey,
  collections,
  intValue,
  type KeyCodec,
  pair,
  presence,
  protoValue,
  remembering,
  triple,
  uint64Key,
  uint64Value,
} from '../../core/collections.ts'
import { beside } from '../../core/remembered.ts'

export const STORE = 'staking'
/** Field 2 of HistoricalInfo, of bytes. */
const VALSET_TAG = 18
const s = collections(STORE)

const inverted = (b: Uint8Array): Uint8Array => b.map((byte) => ~byte)

/** Length and complement of an address, so that a descending iteration meets the lower address first. */
const descendingAddressKey: KeyCodec<Address> = {
  encode: (k) => concatBytes(Uint8Array.of(k.length), inverted(k)),
  decode: (b) => checkAddress(inverted(b.subarray(1))),
  encodePart: (k) => concatBytes(Uint8Array.of(k.length), inverted(k)),
  decodePart(b, offset) {
    const end = offset + 1 + b[offset]!
    return [checkAddress(inverted(b.subarray(offset + 1, end))), end]
  },
}

/** Tokens of one unit of consensus power; of the genesis. */
export const powerReduction = s.item(0x10, intValue)
/** The bonded validators' powers at the end of the last block, by operator. */
export const lastPowers = s.map(0x11, addressKey, intValue)
export const lastTotalPower = s.item(0x12, intValue)
/** Powers that CometBFT was last told, by consensus key. */
export const toldPowers = s.map(0x13, bytesKey, intValue)
/** Whether `lastPowers` changed since CometBFT was told. */
export const untold = s.item(0x14, boolValue)
/** By operator. */
export const validators = s.map(0x21, addressKey, remembering(protoValue(Validator)))
/** Operator by consensus address. */
export const byConsensusAddress = s.map(0x22, addressKey, addressValue)
/** The validators that are not jailed, by power: best last, the lower operator later. */
export const byPower = s.map(0x23, pair(uint64Key, descendingAddressKey), presence)
/** By delegator and operator. */
export const delegations = s.map(0x31, pair(addressKey, addressKey), protoValue(Delegation))
/** By delegator and operator. */
export const unbondings = s.map(0x32, pair(addressKey, addressKey), protoValue(UnbondingDelegation))
/** Operator and delegator of each unbonding delegation. */
export const unbondingsByOperator = s.map(0x33, pair(addressKey, addressKey), presence)
/** By delegator, source and destination operator. */
export const redelegations = s.map(0x34, triple(addressKey, addressKey, addressKey), protoValue(Redelegation))
/** Source, delegator, destination. */
export const redelegationsBySource = s.map(0x35, triple(addressKey, addressKey, addressKey), presence)
/** Destination, delegator, source. */
export const redelegationsByDestination = s.map(0x36, triple(addressKey, addressKey, addressKey), presence)
/** The last number given to an unbonding operation. */
export const unbondingId = s.item(0x37, uint64Value)
/** By completion time (nanoseconds) and number of the operation. */
export const unbondingQueue = s.map(0x41, pair(uint64Key, uint64Key), protoValue(DVPair))
export const redelegationQueue = s.map(0x42, pair(uint64Key, uint64Key), protoValue(DVVTriplet))
/** Unbonding validators by completion time (nanoseconds), height and operator. */
export const validatorQueue = s.map(0x43, triple(uint64Key, uint64Key, addressKey), presence)
const encodedValidators = beside<Readonly<Validator>, Uint8Array>()

/** The bytes of a validator as it is read from state, which is frozen. */
function encodeValidator(v: Readonly<Validator>): Uint8Array {
  return encodedValidators.get(v) ?? encodedValidators.set(v, Validator.encode(v).finish())
}

/** By height. A block writes the whole set, of which hardly a validator changed since the last. */
export const historicalInfos = s.map<bigint, HistoricalInfo>(0x50, uint64Key, {
  encode({ header, valset }) {
    const writer = HistoricalInfo.encode({ header, valset: [] })
    for (const v of valset) writer.uint32(VALSET_TAG).bytes(encodeValidator(v))
    return writer.finish()
  },
  decode: (bytes) => HistoricalInfo.decode(bytes),
})
export const params = s.item(0x51, remembering(protoValue(Params)))
/** Operator and delegator of each delegation. */
export const delegationsByOperator = s.map(0x71, pair(addressKey, addressKey), presence)

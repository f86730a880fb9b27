import {
  DelegatorStartingInfo,
  FeePool,
  Params,
  ValidatorAccumulatedCommission,
  ValidatorCurrentRewards,
  ValidatorHistoricalRewards,
  ValidatorOutstandingRewards,
  ValidatorSlashEvent,
} from 'cosmjs-types/cosmos/distribution/v1beta1/distribution'
import {
  addressKey,
  addressValue,
  collections,
  pair,
  protoValue,
  remembering,
  triple,
  uint64Key,
} from '../../core/collections.ts'

export const STORE = 'distribution'
const s = collections(STORE)

export const feePool = s.item(0x00, protoValue(FeePool))
/** Consensus address of the proposer of the last block. */
export const previousProposer = s.item(0x01, addressValue)
/** The rewards that a validator and its delegators have not withdrawn yet, by operator. */
export const outstanding = s.map(0x02, addressKey, protoValue(ValidatorOutstandingRewards))
/** Where a delegator's rewards go if not to itself. */
export const withdrawAddresses = s.map(0x03, addressKey, addressValue)
/** By operator and delegator. */
export const startingInfos = s.map(0x04, pair(addressKey, addressKey), protoValue(DelegatorStartingInfo))
/** Cumulative rewards of one token since the validator began, at the end of a period; by operator and period. */
export const historical = s.map(0x05, pair(addressKey, uint64Key), protoValue(ValidatorHistoricalRewards))
/** Rewards of the period that runs, by operator. */
export const current = s.map(0x06, addressKey, protoValue(ValidatorCurrentRewards))
/** By operator. */
export const commissions = s.map(0x07, addressKey, protoValue(ValidatorAccumulatedCommission))
/** By operator, height and the period that the slash ended. */
export const slashEvents = s.map(
  0x08,
  triple(addressKey, uint64Key, uint64Key),
  protoValue(ValidatorSlashEvent),
)
export const params = s.item(0x09, remembering(protoValue(Params)))

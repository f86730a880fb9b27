import {
  addressKey,
  collections,
  pair,
  presence,
  protoValue,
  remembering,
  uint64Key,
} from '../../core/collections.ts'
import {
  Ban,
  ConsensusState,
  Decisions,
  Params,
  Removal,
  SignedBanMark,
  Standing,
} from '../../proto/gen/fornax/agents/v1/agents.ts'

export const STORE = 'agents'
const s = collections(STORE)

export const params = s.item(0x00, remembering(protoValue(Params)))
/** Of the last block. */
export const decisions = s.item(0x01, protoValue(Decisions))
export const consensusState = s.item(0x02, protoValue(ConsensusState))
/** By operator. */
export const standings = s.map(0x03, addressKey, protoValue(Standing))
/** By operator; without the marks. */
export const bans = s.map(0x04, addressKey, protoValue(Ban))
/** By banned operator and issuer. */
export const banMarks = s.map(0x05, pair(addressKey, addressKey), protoValue(SignedBanMark))
/** By height and operator. */
export const removals = s.map(0x06, pair(uint64Key, addressKey), protoValue(Removal))
/** By the height at which they may leave the agents' jail, and operator. */
export const releases = s.map(0x07, pair(uint64Key, addressKey), presence)

import { Deposit, Params, Proposal, Vote } from 'cosmjs-types/cosmos/gov/v1/gov'
import {
  collections,
  pair,
  prefixedAddressKey,
  presence,
  protoValue,
  remembering,
  textValue,
  uint64Key,
  uint64Value,
} from '../../core/collections.ts'

export const STORE = 'gov'
const s = collections(STORE)

export const proposals = s.map(0x00, uint64Key, protoValue(Proposal))
/** Proposals that are voted on, by the end of the voting (nanoseconds) and number. */
export const activeQueue = s.map(0x01, pair(uint64Key, uint64Key), presence)
/** Proposals that gather deposits, by the end of that (nanoseconds) and number. */
export const inactiveQueue = s.map(0x02, pair(uint64Key, uint64Key), presence)
export const nextProposalId = s.item(0x03, uint64Value)
/** The proposals that are voted on: a vote reads no proposal, which may be long. */
export const inVotingPeriod = s.map(0x04, uint64Key, presence)
/** By proposal and depositor. */
export const deposits = s.map(0x10, pair(uint64Key, prefixedAddressKey), protoValue(Deposit))
/** By proposal and voter. */
export const votes = s.map(0x20, pair(uint64Key, prefixedAddressKey), protoValue(Vote))
export const params = s.item(0x30, remembering(protoValue(Params)))
export const constitution = s.item(0x31, textValue)

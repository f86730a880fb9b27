import { ConsensusParams } from 'cosmjs-types/tendermint/types/params'
import { collections, protoValue, remembering } from '../../core/collections.ts'

export const STORE = 'consensus'
export const params = collections(STORE).item(0x00, remembering(protoValue(ConsensusParams)))

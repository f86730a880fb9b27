import { Equivocation } from 'cosmjs-types/cosmos/evidence/v1beta1/evidence'
import { sha256 } from '../../core/bytes.ts'
import { bytesKey, collections, protoValue } from '../../core/collections.ts'

export const STORE = 'evidence'

/** By hash. */
export const equivocations = collections(STORE).map(0x00, bytesKey, protoValue(Equivocation))

export const hashOf = (e: Equivocation): Uint8Array => sha256(Equivocation.encode(e).finish())

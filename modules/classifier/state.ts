import {
  addressKey,
  addressValue,
  bytesKey,
  bytesValue,
  collections,
  pair,
  presence,
  protoValue,
  remembering,
  uint64Key,
} from '../../core/collections.ts'
import {
  Metrics,
  Model,
  Params,
  Roster,
  ValidatorRecord,
} from '../../proto/gen/fornax/classifier/v1/classifier.ts'

export const STORE = 'classifier'
const s = collections(STORE)

export const params = s.item(0x00, remembering(protoValue(Params)))
export const model = s.item(0x01, remembering(protoValue(Model)))
/** Named by governance, not yet in force. */
export const nextModel = s.item(0x02, remembering(protoValue(Model)))
export const roster = s.item(0x03, remembering(protoValue(Roster)))
/** By operator. */
export const agentKeys = s.map(0x04, addressKey, bytesValue)
/** By operator. */
export const telemetry = s.map(0x05, addressKey, remembering(protoValue(Metrics)))

/** An agent's transactions, which need no fee. */
export interface AgentTurns {
  readonly height: bigint
  /** Transactions in the block of that height. */
  readonly count: number
  /** Of the last submission: the next one's must be later. */
  readonly timestampMs: bigint
}

/** By operator. */
export const agentTurns = s.map(0x06, addressKey, {
  encode({ height, count, timestampMs }: AgentTurns): Uint8Array {
    const out = new Uint8Array(20)
    const view = new DataView(out.buffer)
    view.setBigUint64(0, height)
    view.setUint32(8, count)
    view.setBigUint64(12, timestampMs)
    return out
  },
  decode(bytes): AgentTurns {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return {
      height: view.getBigUint64(0),
      count: view.getUint32(8),
      timestampMs: view.getBigUint64(12),
    }
  },
})
/** Operators by their agent keys, each of which one has at most. */
export const agentKeyOwners = s.map(0x07, bytesKey, addressValue)
/** Records of validators that left the roster, as they begin again, by consensus address. */
export const formerMembers = s.map(0x09, addressKey, protoValue(ValidatorRecord))
/** Height at which they left, and consensus address. */
export const departures = s.map(0x0a, pair(uint64Key, addressKey), presence)

import { addressKey, bytesValue, collections, protoValue, remembering } from '../../core/collections.ts'
import { Metrics, Model, Params, Roster } from '../../proto/gen/fornax/classifier/v1/classifier.ts'

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
export const metrics = s.map(0x05, addressKey, remembering(protoValue(Metrics)))
/** By operator: height and number of its agent's transactions in that block, which need no fee. */
export const agentTxs = s.map(0x06, addressKey, {
  encode: ({ height, count }: { height: bigint; count: number }): Uint8Array => {
    const out = new Uint8Array(12)
    const view = new DataView(out.buffer)
    view.setBigUint64(0, height)
    view.setUint32(8, count)
    return out
  },
  decode(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return { height: view.getBigUint64(0), count: view.getUint32(8) }
  },
})

import { CheckTxType, RequestCheckTx, ResponseCheckTx } from 'cosmjs-types/tendermint/abci/types'
import { readVarint, varintLength, writeVarint } from './varint.ts'

/**
 * Decodes a RequestCheckTx. The form CometBFT sends (tx, then the type where it is not NEW) is read directly,
 * anything else by the generated codec. The transaction's bytes are a copy.
 */
export function decodeCheckTx(body: Uint8Array): RequestCheckTx {
  return decodeUsualForm(body) ?? RequestCheckTx.decode(body)
}

/** A Buffer's own slice would be a view. */
const copy = Uint8Array.prototype.slice

function decodeUsualForm(body: Uint8Array): RequestCheckTx | undefined {
  if (body[0] !== 0x0a) return undefined
  const length = readVarint(body, 1)
  if (length === undefined || length === 'overlong') return undefined
  const end = length.end + length.value
  if (end > body.length) return undefined
  let type = CheckTxType.NEW
  if (end + 2 === body.length && body[end] === 0x10 && body[end + 1] === 1) type = CheckTxType.RECHECK
  else if (end !== body.length) return undefined
  return { tx: copy.call(body, length.end, end), type }
}

const accepted = new Uint8Array(0)

/** Encodes a ResponseCheckTx; one of numbers alone (what an accepted transaction gets) without the generated codec. */
export function encodeCheckTx(response: ResponseCheckTx): Uint8Array {
  const { code, data, log, info, gasWanted, gasUsed, events, codespace } = response
  const numbersOnly = data.length + log.length + info.length + events.length + codespace.length === 0
  const wanted = Number(gasWanted)
  const used = Number(gasUsed)
  if (!numbersOnly || !isCount(code) || !isCount(wanted) || !isCount(used)) {
    return ResponseCheckTx.encode(response).finish()
  }
  if (code === 0 && wanted === 0 && used === 0) return accepted
  const bytes = new Uint8Array(fieldLength(code) + fieldLength(wanted) + fieldLength(used))
  writeField(bytes, writeField(bytes, writeField(bytes, 0, 1, code), 5, wanted), 6, used)
  return bytes
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

function fieldLength(value: number): number {
  return value === 0 ? 0 : 1 + varintLength(value)
}

function writeField(target: Uint8Array, at: number, field: number, value: number): number {
  if (value === 0) return at
  target[at] = field << 3
  return writeVarint(target, at + 1, value)
}

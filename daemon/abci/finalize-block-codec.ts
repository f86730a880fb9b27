import { type Event, type ExecTxResult, ResponseFinalizeBlock } from 'cosmjs-types/tendermint/abci/types'
import { varintLength, writeVarint } from './varint.ts'

/**
 * Encodes a ResponseFinalizeBlock. Events and transaction results, which are nearly all of it, are written straight
 * into one buffer; the rest by the generated codec. The bytes are those of the generated codec.
 */
export function encodeFinalizeBlock(response: ResponseFinalizeBlock): Uint8Array {
  const { events, txResults } = response
  if (!txResults.every((r) => isCount(r.gasWanted) && isCount(r.gasUsed)))
    return ResponseFinalizeBlock.encode(response).finish()
  const eventSizes = events.map(eventSize)
  const resultSizes = txResults.map(resultSize)
  const rest = ResponseFinalizeBlock.encode({ ...response, events: [], txResults: [] }).finish()
  let size = rest.length
  for (const n of eventSizes) size += prefixed(n)
  for (const n of resultSizes) size += prefixed(n)
  const out = Buffer.allocUnsafe(size)
  let at = 0
  for (const [i, event] of events.entries()) at = writeEvent(out, head(out, at, 0x0a, eventSizes[i]!), event)
  for (const [i, result] of txResults.entries())
    at = writeResult(out, head(out, at, 0x12, resultSizes[i]!), result)
  out.set(rest, at)
  return out
}

/** Tag, length and content of a field whose number is below 16. */
const prefixed = (length: number): number => 1 + varintLength(length) + length

const textSize = (text: string): number => (text === '' ? 0 : prefixed(Buffer.byteLength(text)))
const numberSize = (value: number): number => (value === 0 ? 0 : 1 + varintLength(value))

function attributeSize({ key, value, index }: Event['attributes'][number]): number {
  return textSize(key) + textSize(value) + (index ? 2 : 0)
}

function eventSize({ type, attributes }: Event): number {
  let size = textSize(type)
  for (const attribute of attributes) size += prefixed(attributeSize(attribute))
  return size
}

function resultSize(r: ExecTxResult): number {
  let size = numberSize(r.code) + textSize(r.log) + textSize(r.info) + textSize(r.codespace)
  if (r.data.length > 0) size += prefixed(r.data.length)
  size += numberSize(Number(r.gasWanted)) + numberSize(Number(r.gasUsed))
  for (const event of r.events) size += prefixed(eventSize(event))
  return size
}

const isCount = (value: bigint): boolean => value >= 0n && value <= BigInt(Number.MAX_SAFE_INTEGER)

function head(out: Buffer, at: number, tag: number, length: number): number {
  out[at] = tag
  return writeVarint(out, at + 1, length)
}

function writeText(out: Buffer, at: number, tag: number, text: string): number {
  if (text === '') return at
  const start = head(out, at, tag, Buffer.byteLength(text))
  return start + out.write(text, start, 'utf8')
}

function writeNumber(out: Buffer, at: number, tag: number, value: number): number {
  if (value === 0) return at
  return head(out, at, tag, value)
}

function writeEvent(out: Buffer, start: number, { type, attributes }: Event): number {
  let at = writeText(out, start, 0x0a, type)
  for (const attribute of attributes) {
    at = head(out, at, 0x12, attributeSize(attribute))
    at = writeText(out, at, 0x0a, attribute.key)
    at = writeText(out, at, 0x12, attribute.value)
    if (attribute.index) at = writeNumber(out, at, 0x18, 1)
  }
  return at
}

function writeResult(out: Buffer, start: number, r: ExecTxResult): number {
  let at = writeNumber(out, start, 0x08, r.code)
  if (r.data.length > 0) {
    at = head(out, at, 0x12, r.data.length)
    out.set(r.data, at)
    at += r.data.length
  }
  at = writeText(out, at, 0x1a, r.log)
  at = writeText(out, at, 0x22, r.info)
  at = writeNumber(out, at, 0x28, Number(r.gasWanted))
  at = writeNumber(out, at, 0x30, Number(r.gasUsed))
  for (const event of r.events) at = writeEvent(out, head(out, at, 0x3a, eventSize(event)), event)
  return writeText(out, at, 0x42, r.codespace)
}

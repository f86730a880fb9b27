import { RequestEcho, ResponseEcho } from 'cosmjs-types/tendermint/abci/types'
import { ProtocolError } from './errors.ts'
import { type Method, methods } from './methods.ts'
import { readVarint, varintLength, writeVarint } from './varint.ts'

const LENGTH_DELIMITED = 2
const FIELD_ECHO = 1
const FIELD_FLUSH = 2

/** A frame's meaning: a call of the application, or one the server answers by itself with `answer`, a whole frame. */
export type Incoming =
  | { readonly method: Method<unknown, unknown>; readonly request: unknown }
  | { readonly method: undefined; readonly answer: Uint8Array }

/** A Response, framed, whose field `field` holds `body`. */
export function frameResponse(field: number, body: Uint8Array): Uint8Array {
  const tag = field * 8 + LENGTH_DELIMITED
  const responseLength = varintLength(tag) + varintLength(body.length) + body.length
  const frame = new Uint8Array(varintLength(responseLength) + responseLength)
  const at = writeVarint(frame, writeVarint(frame, writeVarint(frame, 0, responseLength), tag), body.length)
  frame.set(body, at)
  return frame
}

const flushed: Incoming = { method: undefined, answer: frameResponse(3, new Uint8Array(0)) }

/**
 * Reads a frame as `tendermint.abci.Request`. Throws ProtocolError where it is none: no field, more than one, a
 * field this server does not know, or a body that does not decode.
 */
export function readRequest(frame: Uint8Array): Incoming {
  const tag = readVarint(frame, 0)
  if (tag === undefined || tag === 'overlong') throw new ProtocolError('a request without a value')
  const field = tag.value >>> 3
  const length = readVarint(frame, tag.end)
  if (tag.value % 8 !== LENGTH_DELIMITED || length === undefined || length === 'overlong') {
    throw new ProtocolError('a request that is not one length-delimited field')
  }
  if (length.end + length.value !== frame.length) {
    throw new ProtocolError(`request field ${field} does not end where its frame does`)
  }
  if (field === FIELD_FLUSH) return flushed
  const body = frame.subarray(length.end)
  try {
    if (field === FIELD_ECHO) {
      const answer = ResponseEcho.encode(RequestEcho.decode(body)).finish()
      return { method: undefined, answer: frameResponse(2, answer) }
    }
    const method = methods.get(field)
    if (method) return { method, request: method.decode(body) }
  } catch (error) {
    throw new ProtocolError(`request field ${field} does not decode`, { cause: error })
  }
  throw new ProtocolError(`request field ${field} is of no ABCI call known here`)
}

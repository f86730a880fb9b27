import { HttpError } from '../errors.ts'
import { requireUniqueNames } from '../json-body.ts'
import { errorObject, invalidRequest, type JsonRpcError, parseError } from './errors.ts'
import { idsAsWritten, isDeeperThan } from './json-text.ts'

/** What one object of a client says. An id is JSON: text, a number or null. */
export type Message =
  | { readonly kind: 'call'; readonly id: string; readonly method: string; readonly params: unknown }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'invalid'; readonly id: string; readonly error: JsonRpcError }

export interface Messages {
  readonly isBatch: boolean
  readonly list: readonly Message[]
}

const MAX_DEPTH = 64
const NO_ID = 'null'

/** Reads what a client sent. Throws a JsonRpcError where nothing of it can be answered by itself. */
export function readMessages(json: string, maxBatch: number): Messages {
  const parsed = parse(json)
  const isBatch = Array.isArray(parsed)
  const objects: readonly unknown[] = isBatch ? parsed : [parsed]
  if (objects.length === 0) throw invalidRequest('empty batch')
  if (objects.length > maxBatch) throw invalidRequest(`batch too large: at most ${maxBatch} requests`)
  const written = objects.some(hasLongId) ? idsAsWritten(json) : []
  return { isBatch, list: objects.map((each, i) => readMessage(each, written[i])) }
}

function parse(json: string): unknown {
  if (isDeeperThan(json, MAX_DEPTH)) throw invalidRequest('nested too deeply')
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch {
    throw parseError('parse error')
  }
  try {
    requireUniqueNames(json)
  } catch (error) {
    throw error instanceof HttpError ? invalidRequest(error.message) : error
  }
  return parsed
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const member = (object: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** A number that JavaScript would write otherwise. */
function hasLongId(object: unknown): boolean {
  const id = isObject(object) ? member(object, 'id') : undefined
  return typeof id === 'number' && (!Number.isSafeInteger(id) || Object.is(id, -0))
}

function readMessage(object: unknown, writtenId: string | undefined): Message {
  if (!isObject(object))
    return { kind: 'invalid', id: NO_ID, error: invalidRequest('a request is an object') }
  const id = member(object, 'id')
  const isNamed = id === null || typeof id === 'string' || typeof id === 'number'
  const shown = isNamed ? (writtenId ?? JSON.stringify(id)) : NO_ID
  const invalid = (message: string): Message => ({
    kind: 'invalid',
    id: shown,
    error: invalidRequest(message),
  })
  if (id !== undefined && !isNamed) return invalid('id must be a string, a number or null')
  if (member(object, 'jsonrpc') !== '2.0') return invalid('jsonrpc must be "2.0"')
  const method = member(object, 'method')
  if (typeof method !== 'string' || method === '') return invalid('method must be a name')
  const params = member(object, 'params')
  return id === undefined
    ? { kind: 'notification', method, params }
    : { kind: 'call', id: shown, method, params }
}

/** The answer to a call, of JSON. */
export const resultText = (id: string, result: string): string =>
  `{"jsonrpc":"2.0","id":${id},"result":${result}}`

export const errorText = (id: string, error: JsonRpcError): string =>
  `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(errorObject(error))}}`

/** What is answered where nothing was readable. */
export const unreadableText = (error: JsonRpcError): string => errorText(NO_ID, error)

/** What a subscription tells, of JSON. */
export const notificationText = (subscription: string, result: string): string =>
  `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${subscription}","result":${result}}}`

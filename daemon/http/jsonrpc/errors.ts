import { ChainError } from '../../../core/error.ts'
import type { Json } from '../../../core/wire/json.ts'
import { RpcUnavailable } from '../../client/rpc.ts'
import { TooManyReads } from '../../read-queue.ts'
import type { HttpError } from '../errors.ts'

/** Codes of JSON-RPC 2.0, of EIP-1474, and those in use that no standard has: geth's. */
export const codes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  /** Whatever a method refuses. */
  refused: -32_000,
  timeout: -32_002,
  answerTooLarge: -32_003,
  limitExceeded: -32_005,
} as const

/** A refusal that its caller is told. */
export class JsonRpcError extends Error {
  override readonly name = 'JsonRpcError'
  readonly code: number
  readonly data: Json | undefined

  constructor(code: number, message: string, data?: Json) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const parseError = (message: string): JsonRpcError => new JsonRpcError(codes.parseError, message)
export const invalidRequest = (message: string): JsonRpcError =>
  new JsonRpcError(codes.invalidRequest, message)
export const invalidParams = (message: string): JsonRpcError => new JsonRpcError(codes.invalidParams, message)
export const limitExceeded = (message: string): JsonRpcError => new JsonRpcError(codes.limitExceeded, message)
export const timedOut = (): JsonRpcError => new JsonRpcError(codes.timeout, 'request timed out')
export const answerTooLarge = (): JsonRpcError => new JsonRpcError(codes.answerTooLarge, 'response too large')

const SHOWN = 100

export const methodNotFound = (method: string): JsonRpcError =>
  new JsonRpcError(
    codes.methodNotFound,
    `the method ${method.length > SHOWN ? `${method.slice(0, SHOWN)}…` : method} does not exist/is not available`,
  )

/** Any throw as what the caller is told; `report` is told of those that are faults of the node. */
export function asJsonRpcError(error: unknown, report: (error: unknown) => void): JsonRpcError {
  if (error instanceof JsonRpcError) return error
  if (error instanceof ChainError && error.codespace !== 'undefined')
    return new JsonRpcError(codes.refused, error.message)
  if (error instanceof TooManyReads) return limitExceeded(error.message)
  if (error instanceof RpcUnavailable)
    return new JsonRpcError(codes.internal, "the node's CometBFT does not answer")
  report(error)
  return new JsonRpcError(codes.internal, 'the node failed to answer; its log says why')
}

/** The object `error` of an answer. */
export const errorObject = ({ code, message, data }: JsonRpcError): { [field: string]: Json } => ({
  code,
  message,
  ...(data !== undefined && { data }),
})

/** What is answered to what is no request to any method: by its status, as the other interfaces' errors. */
export const httpErrorBody = ({ status, message }: HttpError): Json => ({
  jsonrpc: '2.0',
  id: null,
  error: { code: status >= 500 ? codes.internal : codes.invalidRequest, message },
})

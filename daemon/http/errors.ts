import { ChainError, type GrpcStatus, grpcStatuses, knownError } from '../../core/error.ts'
import type { Json } from '../../core/wire/json.ts'
import { RpcError, RpcUnavailable } from '../client/rpc.ts'
import { TooManyReads } from '../read-queue.ts'
import { grpcStatusOf, statusOf, statusOfRefusedTx } from './error-status.ts'

/** An answer that is an error: its status and what its body says. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  /** In snake case. */
  readonly code: string
  readonly details: Readonly<Record<string, Json>>
  readonly headers: Readonly<Record<string, string>>
  readonly grpcStatus: GrpcStatus

  /** `grpcStatus` where it is another than `status` tells. */
  constructor(
    status: number,
    code: string,
    message: string,
    details: Readonly<Record<string, Json>> = {},
    headers: Readonly<Record<string, string>> = {},
    grpcStatus: GrpcStatus = grpcStatusOf(status),
  ) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
    this.headers = headers
    this.grpcStatus = grpcStatus
  }
}

export const badRequest = (code: string, message: string, details: Record<string, Json> = {}): HttpError =>
  new HttpError(400, code, message, details)

/** The body of every error. */
export const errorBody = ({ code, message, details }: HttpError): { [field: string]: Json } => ({
  error: { code, message, details: { ...details } },
})

/** The same where clients of the SDK look: grpc-gateway's fields stand beside it. */
export const sdkErrorBody = (error: HttpError): Json => ({
  code: grpcStatuses[error.grpcStatus],
  message: error.message,
  details: [],
  ...errorBody(error),
})

/** Whether it is one of the SDK's or ibc-go's paths, or below them: such requests are answered as grpc-gateway does. */
export const isSdkPath = (url: string): boolean => /^\/+(?:cosmos|ibc)(?:[/?]|$)/.test(url)

function details(codespace: string, code: number, more: Readonly<Record<string, unknown>> = {}) {
  return { ...(more as Record<string, Json>), codespace, code }
}

/** A transaction that CheckTx, a simulation or a block refused. */
export function txRefused(refusal: { codespace: string; code: number; log: string }): HttpError {
  const { codespace, code, log } = refusal
  return ofChain(statusOfRefusedTx(codespace, code), { codespace, code, message: log, details: {} })
}

/** An error of the chain as an answer of this status. */
function ofChain(
  status: number,
  { codespace, code, message, details: more }: Omit<ChainError, 'name'>,
): HttpError {
  const { name = 'refused', status: grpc } = knownError(codespace, code) ?? {}
  return new HttpError(status, name, message, details(codespace, code, more), {}, grpc)
}

const internal = new HttpError(500, 'internal_error', 'the node failed to answer; its log says why')
const unavailable = new HttpError(
  503,
  'node_unavailable',
  "the node's CometBFT does not answer",
  {},
  {
    'retry-after': '2',
  },
)

const RETRY = { 'retry-after': '1' }
const busy = {
  client: new HttpError(429, 'rate_limited', 'too many reads of this client wait for an answer', {}, RETRY),
  all: new HttpError(503, 'node_busy', 'too many reads wait for an answer', {}, RETRY),
}

/** Codes of fastify's own refusals. */
const FASTIFY: Readonly<Record<string, readonly [status: number, code: string, message: string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'unsupported_media_type', 'the body must be application/json'],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'invalid_body', 'the body is empty'],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'invalid_body', 'the body is not JSON'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'invalid_body', 'the body is not as long as Content-Length says'],
  FST_ERR_BAD_URL: [400, 'invalid_url', 'the URL is malformed'],
  FST_ERR_MAX_PARAM_LENGTH: [414, 'url_too_long', 'a part of the path is too long'],
  FST_ERR_HANDLER_TIMEOUT: [503, 'timeout', 'the answer took too long'],
}

interface FastifyFault {
  readonly code?: string
  readonly statusCode?: number
  readonly validation?: readonly { instancePath?: string; message?: string; params?: object }[]
  readonly validationContext?: string
}

/** Any throw as an answer; `report` is told of those that are faults of the node. The route takes `bodyLimit` bytes. */
export function asHttpError(error: unknown, report: (error: unknown) => void, bodyLimit?: number): HttpError {
  if (error instanceof HttpError) return error
  if (error instanceof ChainError && error.codespace !== 'undefined')
    return ofChain(statusOf(error.codespace, error.code), error)
  if (error instanceof TooManyReads) return busy[error.whose]
  if (error instanceof RpcUnavailable) return unavailable
  if (error instanceof RpcError) {
    report(error)
    return unavailable
  }
  const fault = (typeof error === 'object' && error !== null ? error : {}) as FastifyFault
  if (fault.validation !== undefined) return invalid(fault)
  if (fault.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLong(bodyLimit)
  const known = FASTIFY[fault.code ?? '']
  if (known !== undefined) return new HttpError(...known)
  if (fault.statusCode !== undefined && fault.statusCode < 500)
    return badRequest('malformed_request', 'the request is malformed')
  report(error)
  return internal
}

function tooLong(limit: number | undefined): HttpError {
  const most = limit === undefined ? 'the route takes' : `${limit.toLocaleString('en')} bytes`
  return new HttpError(413, 'body_too_large', `the body is longer than ${most}`)
}

function invalid({ validation, validationContext }: FastifyFault): HttpError {
  const { instancePath = '', message = 'is malformed', params = {} } = validation?.[0] ?? {}
  const where = `${validationContext === 'querystring' ? 'query' : validationContext}${instancePath}`
  const extra = 'additionalProperty' in params ? `: ${String(params.additionalProperty).slice(0, 80)}` : ''
  const code = validationContext === 'body' ? 'invalid_body' : 'invalid_parameter'
  return badRequest(code, `${where} ${message}${extra}`, { at: where })
}
